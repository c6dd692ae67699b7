import { BloomFilter, type Key } from "bloomline";
import { type Funnel, funnels, GuavaBloomFilter, type GuavaStrategy } from "bloomline/interop";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { engines } from "../support/engines.js";
import { fromBase64, guava } from "../support/interop.js";
import { anyBigint, anyBytes, anyString } from "../support/keys.js";
import { bytesOf, murmur3 } from "../support/model.js";
import { range } from "../support/random.js";

const subjects = [
  { funnel: funnels.integer as Funnel<never>, value: (i: number) => i as never, added: 1000, asked: 4000 },
  { funnel: funnels.string as Funnel<never>, value: (i: number) => `鍵-${i}` as never, added: 800, asked: 20_000 },
  {
    funnel: funnels.unencodedChars as Funnel<never>,
    value: (i: number) => `user:${i}` as never,
    added: 300,
    asked: 5000,
  },
].map((subject, i) => ({ ...guava.filters[i]!, ...subject, bytes: fromBase64(guava.filters[i]!.writeTo) }));

const upTo = <T>(n: number, make: (i: number) => T) => Array.from({ length: n }, (_, i) => make(i));

describe.each(engines)("Guava's filters on $name", ({ options }) => {
  it("count right after they were put together, and go on to", () => {
    const make = () => GuavaBloomFilter.create(funnels.integer, 1000, 0.03, options);
    const [filter, other] = [make(), make()];
    for (let i = 0; i < 500; i++) other.put(i);
    filter.putAll(other);
    filter.put(1000);
    const again = GuavaBloomFilter.fromBytes(filter.toBytes(), funnels.integer, options);
    expect(filter.approximateElementCount()).toBe(again.approximateElementCount());
    expect(filter.approximateElementCount()).toBeGreaterThan(490);
    expect(filter.expectedFpp()).toBe(again.expectedFpp());
  });

  describe.each(subjects)("$name", ({ bytes, funnel, value, added, asked, ...expected }) => {
    it("is read: every answer, the count and the rate", () => {
      const filter = GuavaBloomFilter.fromBytes(bytes, funnel, options);
      const wrong = upTo(asked - added, (i) => added + i).filter((i) => filter.mightContain(value(i)));
      expect(wrong).toEqual(expected.falsePositives);
      expect(upTo(added, value).every((v) => filter.mightContain(v))).toBe(true);
      const batch = filter.hasMany(upTo(asked, value));
      expect(upTo(asked, (i) => i).filter((i) => i >= added && batch[i])).toEqual(expected.falsePositives);
      expect(filter.approximateElementCount()).toBe(expected.approximateElementCount);
      expect(filter.expectedFpp()).toBe(expected.expectedFpp);
      expect(filter.toBytes()).toEqual(bytes);
      expect(filter.engine).toBe(options.engine);
      expect(filter.shared).toBe(options.shared);
    });

    it("is built: the same bytes, one by one and by the batch", () => {
      const { expectedInsertions, fpp } = expected;
      const filter = GuavaBloomFilter.create(funnel, expectedInsertions, fpp, options);
      const changed = upTo(added, value).filter((v) => filter.put(v)).length;
      expect(filter.toBytes()).toEqual(bytes);
      const batch = GuavaBloomFilter.create(funnel, BigInt(expectedInsertions), fpp, options);
      expect(batch.addMany(upTo(added, value))).toBe(changed);
      expect(batch.toBytes()).toEqual(bytes);
      const iterated = GuavaBloomFilter.from(new Set(upTo(added, value)), funnel, {
        ...options,
        expectedInsertions,
        fpp,
      });
      expect(iterated.equals(batch)).toBe(true);
      expect(iterated).toMatchObject({ capacity: expectedInsertions, errorRate: fpp });
    });
  });

  it("reads from a stream whose pieces fall anywhere", async () => {
    const { bytes, funnel } = subjects[1]!;
    for (const piece of [1, 2, 5, 6, 7, 64, 1000, bytes.length]) {
      async function* pieces() {
        for (let at = 0; at < bytes.length; at += piece) yield bytes.subarray(at, at + piece);
      }
      const filter = await GuavaBloomFilter.fromStream(pieces(), bytes.length, funnel, options);
      expect(filter.toBytes()).toEqual(bytes);
      expect(filter.approximateElementCount()).toBe(802);
    }
  });

  it("merges, copies, clears", () => {
    const make = () => GuavaBloomFilter.create(funnels.long, 1000, 0.01, options);
    const [one, two, both] = [make(), make(), make()];
    one.addMany(range(0, 600));
    two.addMany(range(400, 1000));
    both.addMany(range(0, 1000));
    const copy = one.copy();
    expect(copy.equals(one)).toBe(true);
    one.putAll(two);
    expect(one.toBytes()).toEqual(both.toBytes());
    expect(one.approximateElementCount()).toBe(both.approximateElementCount());
    expect(copy.equals(one)).toBe(false);
    expect(copy.merge(two).equals(both)).toBe(true);
    expect(two.intersect(both).hasMany(range(400, 1000)).includes(0)).toBe(false);
    one.clear();
    expect(one.equals(make())).toBe(true);
    expect(one.fillRatio).toBe(0);
    one.dispose();
    expect(() => one.put(1)).toThrow(expect.objectContaining({ code: "ERR_DISPOSED" }));
    expect(() => one.toBytes()).toThrow(expect.objectContaining({ code: "ERR_DISPOSED" }));
  });

  it("takes a hash from any filter of seed 0", () => {
    const filter = GuavaBloomFilter.create(funnels.string, 100, 0.01, options);
    const hasher = new BloomFilter({ capacity: 1 });
    expect(filter.addHash(hasher.hash("key"))).toBe(true);
    expect(filter.mightContain("key")).toBe(true);
    expect(filter.hasHash(hasher.hash("key"))).toBe(true);
    expect(filter.hash("key")).toEqual(hasher.hash("key"));
  });
});

describe("a random filter", () => {
  /** Guava's two strategies, in BigInt. */
  function positions(key: Key, strategy: GuavaStrategy, k: number, bits: bigint): number[] {
    const { h1, h2 } = murmur3(bytesOf(key));
    return upTo(k, (i) => {
      if (strategy === "MURMUR128_MITZ_64")
        return Number((BigInt.asUintN(64, h1 + BigInt(i) * h2) & (2n ** 63n - 1n)) % bits);
      const sum = BigInt.asIntN(32, BigInt.asIntN(32, h1) + BigInt(i + 1) * BigInt.asIntN(32, h1 >> 32n));
      return Number((sum < 0n ? ~sum : sum) % bits);
    });
  }

  const strategies = fc.constantFrom<GuavaStrategy>("MURMUR128_MITZ_32", "MURMUR128_MITZ_64");
  const values = fc.oneof(
    fc.tuple(fc.constant("long" as const), fc.array(anyBigint, { minLength: 1 })),
    fc.tuple(fc.constant("bytes" as const), fc.array(anyBytes, { minLength: 1 })),
    fc.tuple(fc.constant("unencodedChars" as const), fc.array(anyString, { minLength: 1 })),
    fc.tuple(fc.constant("integer" as const), fc.array(fc.integer(), { minLength: 1 })),
  );

  /** The bytes a funnel makes, written down once more. */
  function funnelled(name: string, value: unknown): Uint8Array {
    if (name === "integer") return new Uint8Array(Int32Array.of(value as number).buffer);
    if (name === "unencodedChars") return new Uint8Array(Buffer.from(value as string, "utf16le"));
    return bytesOf(value as Key);
  }

  it("sets Guava's bits, in big-endian longs, on every engine", () => {
    fc.assert(
      fc.property(
        strategies,
        values,
        fc.integer({ min: 1, max: 400 }),
        fc.constantFrom(0.4, 0.03, 1e-5, 1e-20),
        (strategy, [name, list], n, fpp) => {
          const filters = engines.map(({ options }) => {
            const filter = GuavaBloomFilter.create(funnels[name] as Funnel<never>, n, fpp, { ...options, strategy });
            filter.addMany(list as never[]);
            return filter;
          });
          const [{ bitSize, hashes }] = filters as [GuavaBloomFilter<never>];
          const longs = new BigUint64Array(bitSize / 64);
          for (const value of list) {
            for (const at of positions(funnelled(name, value), strategy, hashes, BigInt(bitSize))) {
              longs[at >> 6]! |= 1n << BigInt(at & 63);
            }
          }
          const expected = Buffer.alloc(6 + bitSize / 8);
          expected.writeUInt8(strategy === "MURMUR128_MITZ_32" ? 0 : 1, 0);
          expected.writeUInt8(hashes, 1);
          expected.writeInt32BE(bitSize / 64, 2);
          longs.forEach((long, i) => {
            expected.writeBigUInt64BE(long, 6 + i * 8);
          });
          for (const filter of filters) {
            expect(Buffer.from(filter.toBytes()).equals(expected)).toBe(true);
            expect(list.every((value) => filter.has(value as never))).toBe(true);
            expect(GuavaBloomFilter.fromBytes(filter.toBytes(), filter.funnel).equals(filter)).toBe(true);
          }
        },
      ),
      { numRuns: 150 },
    );
  });

  it("holds a long key as it holds a short one", () => {
    const bytes = new Uint8Array(200_000).map((_, i) => i);
    const filter = GuavaBloomFilter.create(funnels.bytes, 10, 0.001);
    filter.put(bytes);
    const set = new Set(positions(bytes, "MURMUR128_MITZ_64", filter.hashes, BigInt(filter.bitSize)));
    expect(filter.fillRatio).toBe(set.size / filter.bitSize);
    expect(filter.hasMany([bytes, bytes.subarray(1)])).toEqual(Uint8Array.of(1, 0));
    const text = "\ud800語".repeat(50_000);
    const strings = GuavaBloomFilter.create(funnels.unencodedChars, 10, 0.001);
    strings.put(text);
    expect(strings.hasMany([text, `${text}!`])).toEqual(Uint8Array.of(1, 0));
  });
});

describe("sizing", () => {
  it.each([
    // n, p, longs, k: computed by Guava 31.1.
    [1, 0.03, 1, 5],
    [0, 0.03, 1, 5],
    [1000, 0.03, 115, 5],
    [300, 0.01, 45, 7],
    [1_000_000, 0.01, 149_767, 7],
    [500, 1e-6, 225, 20],
    [10, 0.9, 1, 1],
  ])("n %d, p %d", (n, p, longs, hashes) => {
    const filter = GuavaBloomFilter.create(funnels.long, n, p);
    expect(filter).toMatchObject({ bitSize: longs * 64, hashes, byteLength: longs * 8 });
  });

  it("has the default of Guava, and its newer k where asked for", () => {
    expect(GuavaBloomFilter.create(funnels.long, 1000)).toMatchObject({ errorRate: 0.03, hashes: 5, bitSize: 7360 });
    // m = 5 bits: 5 · ln 2 = 3.47, but -log2 0.08 = 3.64.
    expect(GuavaBloomFilter.create(funnels.long, 1, 0.08).hashes).toBe(3);
    expect(GuavaBloomFilter.create(funnels.long, 1, 0.08, { hashesFrom: "fpp" }).hashes).toBe(4);
  });

  it.each([
    [-1, 0.03, /expectedInsertions is -1/],
    [1.5, 0.03, /expectedInsertions is 1.5/],
    [2 ** 60, 0.03, /expectedInsertions/],
    [1e12, 0.03, /small enough for \d+ longs/],
    [10, 0, /fpp is 0; it must be a number between 0 and 1/],
    [10, 1, /fpp is 1/],
    [1, 0.9, /Guava refuses it as well/],
    [1, 1e-200, /Guava refuses it as well/],
  ])("refuses n %d, p %d", (n, p, message) => {
    expect(() => GuavaBloomFilter.create(funnels.long, n, p)).toThrow(RangeError);
    expect(() => GuavaBloomFilter.create(funnels.long, n, p)).toThrow(message);
  });

  it("refuses what is no funnel and no strategy", () => {
    for (const funnel of [undefined, null, {}, "long", () => 1]) {
      expect(() => GuavaBloomFilter.create(funnel as never, 10)).toThrow(/it must be one of funnels/);
      expect(() => GuavaBloomFilter.fromBytes(subjects[0]!.bytes, funnel as never)).toThrow(TypeError);
    }
    expect(() => GuavaBloomFilter.create(funnels.long, 10, 0.1, { strategy: "MITZ" as never })).toThrow(
      /strategy is "MITZ"/,
    );
  });
});

describe("funnels", () => {
  it.each([
    ["integer", 2 ** 31, RangeError],
    ["integer", 1.5, RangeError],
    ["integer", 5n, TypeError],
    ["integer", "5", TypeError],
    ["long", "5", TypeError],
    ["long", 2 ** 60, RangeError],
    ["long", 2n ** 64n, RangeError],
    ["string", 5, TypeError],
    ["string", Uint8Array.of(1), TypeError],
    ["unencodedChars", 5, TypeError],
    ["bytes", "5", TypeError],
  ] as const)("%s refuses %s, alone and among many", (name, value, error) => {
    const filter = GuavaBloomFilter.create(funnels[name] as Funnel<never>, 10);
    expect(() => filter.put(value as never)).toThrow(error);
    expect(() => filter.mightContain(value as never)).toThrow(error);
    expect(() => filter.addMany([value as never])).toThrow(error);
    expect(() => filter.hasMany([value as never])).toThrow(error);
    expect(filter.fillRatio).toBe(0);
  });

  it("takes typed arrays of integers where they are integers", () => {
    const longs = GuavaBloomFilter.create(funnels.long, 100);
    const ints = GuavaBloomFilter.create(funnels.integer, 100);
    for (const filter of [longs, ints]) {
      filter.addMany(range(0, 100));
      expect(filter.has(99)).toBe(true);
    }
    expect(longs.hasMany(new BigInt64Array(100).map((_, i) => BigInt(i)))).toEqual(new Uint8Array(100).fill(1));
    expect(() => GuavaBloomFilter.create(funnels.string, 10).addMany(range(0, 2) as never)).toThrow(TypeError);
    expect(() => longs.addMany("key" as never)).toThrow(TypeError);
  });

  it("can be the user's own, for a value of any kind", () => {
    interface Person {
      id: number;
      name: string;
    }
    // into.putInt(person.id).putString(person.name, UTF_8), in Java
    const scratch = new Uint8Array(100);
    const person: Funnel<Person> = {
      name: "person",
      toKey({ id, name }) {
        new DataView(scratch.buffer).setInt32(0, id, true);
        return scratch.subarray(0, 4 + new TextEncoder().encodeInto(name, scratch.subarray(4)).written);
      },
    };
    const filter = GuavaBloomFilter.create(person, 100);
    filter.addMany([
      { id: 1, name: "Ada" },
      { id: 2, name: "Grace" },
    ]);
    expect(filter.has({ id: 1, name: "Ada" })).toBe(true);
    expect(
      filter.hasMany([
        { id: 2, name: "Grace" },
        { id: 1, name: "Grace" },
      ]),
    ).toEqual(Uint8Array.of(1, 0));
  });

  it("are part of what must agree", () => {
    const strings = GuavaBloomFilter.create(funnels.string, 10);
    const chars = GuavaBloomFilter.create(funnels.unencodedChars, 10);
    expect(strings.isCompatible(chars)).toBe(false);
    expect(strings.equals(chars)).toBe(false);
    expect(() => strings.putAll(chars)).toThrow(/funnel string, the other is .*funnel unencodedChars/);
    expect(() => strings.merge({} as never)).toThrow(expect.objectContaining({ code: "ERR_INCOMPATIBLE" }));
    expect(
      strings.isCompatible(GuavaBloomFilter.create(funnels.string, 10, 0.03, { strategy: "MURMUR128_MITZ_32" })),
    ).toBe(false);
  });
});

it("is attached in another realm of the same memory", () => {
  const filter = GuavaBloomFilter.create(funnels.string, 1000, 0.01, { shared: true, engine: "wasm" });
  const other = GuavaBloomFilter.attach(filter.share(), funnels.string);
  other.put("there");
  expect(filter.has("there")).toBe(true);
  expect(other.approximateElementCount()).toBe(1);
  const reader = GuavaBloomFilter.attach(filter.share(), funnels.string, { readonly: true });
  expect(reader.has("there")).toBe(true);
  expect(() => reader.put("more")).toThrow(expect.objectContaining({ code: "ERR_READONLY" }));
});
