import { type Item, RedisBloomDump } from "bloomline/interop";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chunksOf, isSet, item, redisBloom, redisHeader, redisPositions } from "../support/interop.js";
import { anyBytes, anyString } from "../support/keys.js";
import { pack } from "../support/packed.js";

const engines = [{ engine: "wasm" }, { engine: "js" }] as const;
const upTo = <T>(n: number, make: (i: number) => T) => Array.from({ length: n }, (_, i) => make(i));
const absent = upTo(20_000, (j) => `absent/${j}`);

describe.each(engines)("RedisBloom's filters on $engine", (options) => {
  describe.each(redisBloom.filters)("$name", ({ name, items, falsePositives, ...expected }) => {
    const chunks = chunksOf(name);

    it("is read: every answer, and what BF.INFO says", () => {
      const dump = RedisBloomDump.fromChunks(chunks, options);
      expect(upTo(20_000, (j) => j).filter((j) => dump.has(absent[j]!))).toEqual(falsePositives);
      const batch = dump.hasMany(absent);
      expect(upTo(20_000, (j) => j).filter((j) => batch[j])).toEqual(falsePositives);
      expect(dump.hasMany(upTo(items, item)).includes(0)).toBe(false);
      const info = Object.fromEntries(upTo(expected.info.length / 2, (i) => expected.info.slice(2 * i, 2 * i + 2)));
      expect({
        Capacity: dump.capacity,
        "Number of filters": dump.layers,
        "Number of items inserted": dump.count,
        "Expansion rate": dump.expansion,
        Size: info.Size,
      }).toEqual(info);
      expect(dump).toMatchObject({ errorRate: expected.error, nonScaling: false, engine: options.engine });
    });

    it("is written: the same chunks, and as one", () => {
      const dump = RedisBloomDump.fromChunks(chunks, options);
      expect([...dump.chunks()]).toEqual(chunks);
      expect(dump.toBytes()).toEqual(new Uint8Array(Buffer.concat(chunks.map(([, data]) => data))));
      expect([...RedisBloomDump.fromBytes(dump.toBytes(), options).chunks()]).toEqual(chunks);
      expect([...RedisBloomDump.fromChunks(dump.chunks(), options).chunks()]).toEqual(chunks);
      const bigints = chunks.map(([iterator, data]) => [BigInt(iterator), data] as const);
      expect(RedisBloomDump.fromChunks([...bigints, [0n, new Uint8Array(0)]], options).toBytes()).toEqual(
        dump.toBytes(),
      );
    });

    it("is built: the same answers at each add, the same layers, the same bytes", () => {
      const { capacity, error, expansion = 2, alreadyPresentAtAdd } = expected;
      const make = () => RedisBloomDump.create({ capacity, errorRate: error, expansion, ...options });
      const dump = make();
      expect(upTo(items, (j) => j).filter((j) => !dump.add(item(j)))).toEqual(alreadyPresentAtAdd);
      expect([...dump.chunks()]).toEqual(chunks);
      const batch = make();
      expect(batch.addMany(upTo(items, item))).toBe(items - alreadyPresentAtAdd.length);
      expect([...batch.chunks()]).toEqual(chunks);
    });

    it("comes from a stream", async () => {
      async function* stream() {
        yield* chunks;
        yield [0, new Uint8Array(0)] as const;
      }
      expect([...(await RedisBloomDump.fromStream(stream(), options)).chunks()]).toEqual(chunks);
    });
  });

  it("hashes as the server does", () => {
    const dump = RedisBloomDump.create({ capacity: 10, ...options });
    for (const [text, a, b] of redisBloom.hashes) {
      const { h1, h2 } = dump.hash(text);
      expect([h1, h2]).toEqual([BigInt(`0x${a}`), BigInt(`0x${b}`)]);
    }
  });

  it("takes an item of any length", () => {
    const long = new Uint8Array(300_001).map((_, i) => i * 7);
    const dump = RedisBloomDump.create({ capacity: 10, errorRate: 1e-5, ...options });
    expect(dump.add(long)).toBe(true);
    expect(dump.addMany([long, "語".repeat(60_000), ""])).toBe(2);
    expect(dump.hasMany([long, "語".repeat(60_000), "", long.subarray(1)])).toEqual(Uint8Array.of(1, 1, 1, 0));
    const [, [, data]] = [...dump.chunks()] as [unknown, [number, Uint8Array]];
    const layer = { modulus: BigInt(data.length * 8), hashes: dump.hashes, data };
    for (const position of redisPositions(long, layer)) expect(isSet(data, position)).toBe(true);
  });

  it("answers and adds as a model does, for any layer an old server may have made", () => {
    fc.assert(
      fc.property(
        fc.record({
          n2: fc.integer({ min: 0, max: 12 }),
          bits: fc.integer({ min: 1, max: 5000 }),
          hashes: fc.integer({ min: 1, max: 300 }),
          wide: fc.boolean(),
        }),
        fc.array(fc.oneof(anyString, anyBytes), { minLength: 1, maxLength: 40 }),
        ({ n2, bits, hashes, wide }, items) => {
          const all = n2 > 0 ? 2 ** n2 : bits;
          const data = new Uint8Array(Math.ceil(all / 8));
          const bpe = (hashes - 0.5) / Math.LN2;
          const entries = 1000;
          const header = redisHeader({ options: wide ? 4 : 0 }, [
            { bytes: data.length, bits: all, size: 0, error: 0.01, bpe, hashes, entries, n2 },
          ]);
          const dump = RedisBloomDump.fromChunks(
            [
              [1, header],
              [data.length + 1, data.slice()],
            ],
            options,
          );
          const layer = { modulus: BigInt(all), hashes, data };
          let size = 0;
          for (const value of items) {
            const positions = redisPositions(value, layer, wide);
            const known = positions.every((position) => isSet(data, position));
            expect(dump.has(value)).toBe(known);
            expect(dump.add(value)).toBe(!known);
            for (const position of positions) data[position >> 3]! |= 1 << (position & 7);
            if (!known) size++;
          }
          expect(dump.count).toBe(size);
          expect([...dump.chunks()][1]).toEqual([data.length + 1, data]);
        },
      ),
      { numRuns: 200 },
    );
  });

  it("grows a filter of an old server by powers of two", () => {
    // bpe for 0.005 is 11.03; 100 entries fill 2^11 bits, which have room for 185.
    const bpe = 11.027753418256411;
    const data = new Uint8Array(256);
    const layer = { bytes: 256, bits: 2048, size: 185, error: 0.005, bpe, hashes: 8, entries: 185, n2: 11 };
    const dump = RedisBloomDump.fromChunks(
      [
        [1, redisHeader({ options: 4 }, [layer])],
        [257, data],
      ],
      options,
    );
    dump.add("one more");
    const [[, header], , [, added]] = [...dump.chunks()] as [[number, Uint8Array], unknown, [number, Uint8Array]];
    // 370 entries at 0.0025 need 4614 bits: 2^13, with room for 656.
    const expected = {
      bytes: 1024,
      bits: 8192,
      size: 1,
      error: 0.0025,
      bpe: 12.470448459145377,
      hashes: 9,
      entries: 656,
      n2: 13,
    };
    expect(header).toEqual(redisHeader({ options: 4 }, [layer, expected]));
    for (const position of redisPositions("one more", { modulus: 8192n, hashes: 9, data: added })) {
      expect(isSet(added, position)).toBe(true);
    }
  });

  it("is full where it does not scale, and keeps what was added before", () => {
    const dump = RedisBloomDump.create({ capacity: 10, errorRate: 0.001, nonScaling: true, ...options });
    expect(dump.addMany(upTo(10, String))).toBe(10);
    expect(dump.add("3")).toBe(false);
    expect(() => dump.add("new")).toThrow(expect.objectContaining({ code: "ERR_FULL" }));
    expect(() => dump.addMany(["3", "new", "4"])).toThrow(/full: it holds 10 items and was made not to scale/);
    expect(dump.has("new")).toBe(false);
    expect(dump).toMatchObject({ layers: 1, count: 10, nonScaling: true, errorRate: 0.001 });
    const [[, header]] = [...dump.chunks()] as [[number, Uint8Array]];
    expect(new DataView(header.buffer).getUint32(12, true)).toBe(13);
    expect(new DataView(header.buffer).getFloat64(44, true)).toBe(0.001);
  });

  it("survives random lives: written, read, equal", () => {
    fc.assert(
      fc.property(
        fc.record({
          capacity: fc.integer({ min: 1, max: 200 }),
          errorRate: fc.double({ min: 1e-6, max: 0.9, noNaN: true }),
          expansion: fc.integer({ min: 1, max: 5 }),
        }),
        fc.array(fc.oneof(anyString, anyBytes), { maxLength: 300 }),
        (settings, items: Item[]) => {
          const dump = RedisBloomDump.create({ ...settings, ...options });
          dump.addMany(items);
          const again = RedisBloomDump.fromBytes(dump.toBytes(), options);
          expect(again.equals(dump)).toBe(true);
          expect(again.toBytes()).toEqual(dump.toBytes());
          expect(again.hasMany(items).includes(0)).toBe(false);
          expect(dump.clone().toBytes()).toEqual(dump.toBytes());
        },
      ),
      { numRuns: 60 },
    );
  });

  it("merges layer by layer, clears, disposes", () => {
    const make = () => RedisBloomDump.create({ capacity: 100, ...options });
    const [one, two] = [make(), make()];
    one.addMany(upTo(80, (i) => `a${i}`));
    two.addMany(upTo(80, (i) => `b${i}`));
    const before = one.clone();
    one.merge(two);
    expect(one.hasMany([...upTo(80, (i) => `a${i}`), ...upTo(80, (i) => `b${i}`)]).includes(0)).toBe(false);
    expect(one.count).toBe(160);
    expect(before.equals(one)).toBe(false);
    const merged = one.toBytes();
    expect(one.merge(one).toBytes()).toEqual(merged);
    // It is past its capacity now, so the next item opens a layer.
    one.add("more");
    expect(one.layers).toBe(2);
    expect(() => one.merge(two)).toThrow(expect.objectContaining({ code: "ERR_INCOMPATIBLE" }));
    one.clear();
    expect(one.toBytes()).toEqual(make().toBytes());
    one.dispose();
    one.dispose();
    for (const use of [() => one.has("a"), () => one.add("a"), () => one.toBytes(), () => one.hasMany([])]) {
      expect(use).toThrow(expect.objectContaining({ code: "ERR_DISPOSED" }));
    }
  });

  it("knows its rate from its bits", () => {
    const dump = RedisBloomDump.create({ capacity: 2000, errorRate: 0.02, ...options });
    dump.addMany(upTo(9000, String));
    expect(dump.layers).toBe(3);
    const wrong = dump.hasMany(absent).reduce((sum, yes) => sum + yes, 0);
    const rate = dump.currentErrorRate;
    // Four sigma.
    expect(Math.abs(wrong / 20_000 - rate)).toBeLessThan(4 * Math.sqrt(rate / 20_000));
  });
});

it("takes packed items, iterables and hashes", () => {
  const dump = RedisBloomDump.create({ capacity: 5000 });
  const items = upTo(2000, item);
  expect(dump.addMany(pack(items, 3))).toBe(2000);
  expect(dump.hasMany(new Set(items))).toEqual(new Uint8Array(2000).fill(1));
  const other = RedisBloomDump.create({ capacity: 100 });
  const hash = other.hash("hashed");
  expect(dump.addHash(hash)).toBe(true);
  expect(dump.has("hashed")).toBe(true);
  expect(dump.hasHash(hash)).toBe(true);
  const out = new Uint8Array(3).fill(9);
  expect(dump.hasMany(["hashed", "absent"], out)).toBe(out);
  expect(out).toEqual(Uint8Array.of(1, 0, 9));
});

it.each([5, 5n, null, undefined, {}, [1]])("refuses the item %s: a client would send text", (value) => {
  const dump = RedisBloomDump.create({ capacity: 100 });
  expect(() => dump.add(value as never)).toThrow(TypeError);
  expect(() => dump.has(value as never)).toThrow(/an item must be a string or a Uint8Array/);
  expect(() => dump.addMany(["a", value as never])).toThrow(TypeError);
  expect(() => dump.hasMany(new Set(["a", value as never]))).toThrow(TypeError);
  expect(() => dump.addMany(Uint32Array.of(1) as never)).toThrow(TypeError);
  expect(() => dump.hasMany("text" as never)).toThrow(TypeError);
  expect(dump.count).toBe(0);
});

it.each([
  [{ capacity: 0 }, /capacity is 0/],
  [{ capacity: 1.5 }, /capacity is 1.5/],
  [{ capacity: 10, errorRate: 0 }, /errorRate is 0/],
  [{ capacity: 10, errorRate: 1 }, /errorRate is 1/],
  [{ capacity: 10, expansion: 0 }, /expansion is 0/],
  [undefined, /options is undefined/],
])("refuses the options %o", (options, message) => {
  expect(() => RedisBloomDump.create(options as never)).toThrow(message);
});
