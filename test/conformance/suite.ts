// What every filter must do on every engine. A filter class is run through it by one call; see bloom-filter.test.ts.

import { BloomlineError, type EngineOptions, type Key, type Keys, openFilter } from "bloomline";
import { describe, expect, it } from "vitest";
import type { BitFilter } from "../../src/filters/bit-filter.js";
import type { LineFilter } from "../../src/filters/line-filter.js";
import { engines } from "../support/engines.js";
import { bytesOf } from "../support/model.js";
import { pack } from "../support/packed.js";
import { noise, numbers, range } from "../support/random.js";

/** A filter that takes keys at any time, and tells how full it is. */
type Conforming = LineFilter & Pick<BitFilter, "count" | "fillRatio" | "currentErrorRate">;

interface Options extends EngineOptions {
  readonly capacity: number;
  readonly errorRate: number;
  readonly seed?: number | bigint;
}

/** The class of a filter. */
interface FilterClass {
  new (options: Options): Conforming;
  from(keys: Keys, options: Partial<Options>): Conforming;
  fromBytes(bytes: Uint8Array, options: EngineOptions): Conforming;
}

/**
 * What some kinds cannot do: be merged, be written by threads that share it, take more keys than it was made for, or one
 * key any number of times.
 */
export type Ability = "merge" | "intersect" | "share" | "overfill" | "repeat";

export interface Subject {
  readonly type: FilterClass;
  readonly lacks?: readonly Ability[];
  /** What it does in a way of its own, and has tests of its own for. */
  readonly apart?: readonly Ability[];
  /** A key that is added again is there twice. */
  readonly counts?: boolean;
  /** A rate beside 1 % that takes another geometry; 2 % unless the kind has only a few. */
  readonly anotherRate?: number;
}

const encoder = new TextEncoder();

/** Keys of every kind, in an order that mixes them; more than a batch of them. */
function mixedKeys(): Key[] {
  const next = numbers(99);
  const kinds: ((i: number) => Key)[] = [
    (i) => `https://example.com/item/${i}`,
    (i) => `${"naïve ".repeat(i % 5)}過濾器 ${i} 🌸`,
    (i) => noise(next() % 80, i + 1),
    () => next() - 2 ** 31,
    () => -next() * 2 ** 20,
    () => (BigInt(next()) << 32n) - 2n ** 62n,
    (i) => 2n ** 64n - 1n - BigInt(i),
  ];
  const keys = Array.from({ length: 3000 }, (_, i) => kinds[next() % kinds.length]!(i));
  return ["", "\ud800", "\udc00 alone", new Uint8Array(0), 0, -1, "x".repeat(200_000), noise(150_000), ...keys];
}

/** Keys of one kind each, as one list; a batch of them goes another way than a mixture. */
const lists: Record<string, readonly Key[]> = {
  mixed: mixedKeys(),
  "ASCII strings": Array.from({ length: 2500 }, (_, i) => `key number ${i}`),
  "CJK strings": Array.from({ length: 2500 }, (_, i) => `布隆過濾器 ${i}`),
  numbers: Array.from({ length: 2500 }, (_, i) => (i - 1250) * 7_205_759_403_792),
  bigints: Array.from({ length: 2500 }, (_, i) => BigInt(i) * 0x9e3779b97f4a7n - 2n ** 60n),
  bytes: Array.from({ length: 2500 }, (_, i) => noise(i % 70, i + 1)),
};

/** Every key once: what comes as text and as bytes is one key. */
function distinct(keys: readonly Key[]): Key[] {
  return [...new Map(keys.map((key) => [Buffer.from(bytesOf(key)).toString("hex"), key])).values()];
}

/** Runs a class through everything below, on each engine. */
export function conforms({ type, lacks = [], apart = [], counts = false, anotherRate = 0.02 }: Subject): void {
  const can = (ability: Ability) => !lacks.includes(ability) && !apart.includes(ability);
  /** For more than 4000 keys. */
  const roomy = (capacity: number) => (can("overfill") ? {} : { capacity });
  const writable = engines.filter(({ options }) => !options.shared || can("share"));

  describe.each(writable)("on $name", ({ options: engine }) => {
    const make = (options: Partial<Options> = {}) =>
      new type({ capacity: 4000, errorRate: 0.01, ...engine, ...options });
    // What can merge or intersect is a filter of bits.
    const makeBits = make as (options?: Partial<Options>) => BitFilter;

    it("runs on the engine it was asked for", () => {
      const filter = make();
      expect(filter.engine).toBe(engine.engine);
      expect(filter.shared).toBe(engine.shared);
    });

    it("starts empty", () => {
      const filter = make();
      expect(filter.count).toBe(0);
      expect(filter.fillRatio).toBe(0);
      expect(filter.currentErrorRate).toBe(0);
      expect(filter.has("")).toBe(false);
      expect(filter.hasMany(lists.mixed!).includes(1)).toBe(false);
    });

    describe.each(Object.entries(lists))("%s", (_, list) => {
      const keys = can("repeat") ? list : distinct(list);
      const oneByOne = make({ seed: 5 });
      const changed = keys.filter((key) => oneByOne.add(key)).length;
      const expected = oneByOne.toBytes();

      it("are found once added", () => {
        expect(changed).toBeGreaterThan(0.98 * keys.length);
        expect(keys.filter((key) => !oneByOne.has(key))).toEqual([]);
        expect(oneByOne.toBytes()).toEqual(expected);
        const twice = oneByOne.clone();
        // What counts needs room for each of them once more.
        const again = counts ? keys.slice(0, 900) : keys;
        expect(again.filter((key) => twice.add(key))).toEqual(counts ? again : []);
        expect(twice.equals(oneByOne)).toBe(!counts);
      });

      const forms: [string, () => Keys][] = [
        ["an array", () => keys],
        ["a Set", () => new Set(keys)],
        ["a generator", () => keys[Symbol.iterator]()],
        ["packed", () => pack(keys)],
        ["packed, from a later offset", () => pack(keys, 13)],
        ["packed, offsets signed", () => ({ ...pack(keys), offsets: Int32Array.from(pack(keys).offsets) })],
      ];

      it.each(forms)("give the same as %s", (_, form) => {
        const batch = make({ seed: 5 });
        expect(batch.addMany(form())).toBe(changed);
        expect(batch.toBytes()).toEqual(expected);
        if (!counts) expect(batch.addMany(form())).toBe(0);
        expect(batch.hasMany(form())).toEqual(new Uint8Array(keys.length).fill(1));

        const strangers = make({ seed: 5 });
        strangers.addMany(keys.slice(0, 1000));
        const answers = keys.map((key) => Number(strangers.has(key)));
        expect(answers).toContain(0);
        expect([...strangers.hasMany(form())]).toEqual(answers);
      });

      it("give the same by hash", () => {
        const byHash = make({ seed: 5 });
        const hasher = make({ seed: 5, capacity: 1 });
        const hashes = keys.map((key) => hasher.hash(key));
        expect(hashes.filter((hash) => byHash.addHash(hash)).length).toBe(changed);
        expect(byHash.toBytes()).toEqual(expected);
        const half = make({ seed: 5 });
        half.addMany(keys.slice(0, keys.length / 2));
        expect(hashes.map((hash) => half.hasHash(hash))).toEqual(keys.map((key) => half.has(key)));
      });

      it("survive toBytes, fromBytes and openFilter, on any engine", () => {
        for (const { options } of engines) {
          for (const copy of [type.fromBytes(expected, options), openFilter(expected, options) as Conforming]) {
            expect(copy).toBeInstanceOf(type);
            expect(copy.engine).toBe(options.engine);
            expect(copy.hasMany(keys)).toEqual(new Uint8Array(keys.length).fill(1));
            expect(copy.toBytes()).toEqual(expected);
            expect(copy.equals(oneByOne)).toBe(true);
            expect(copy.count).toBe(oneByOne.count);
            expect(copy).toMatchObject({ capacity: 4000, errorRate: 0.01, seed: 5n, hashes: oneByOne.hashes });
          }
        }
      });
    });

    it.each([
      ["Uint32Array", Uint32Array.from({ length: 3000 }, (_, i) => i * 1_431_655)],
      ["Float64Array", Float64Array.from({ length: 3000 }, (_, i) => (i - 1500) * 6_004_799_503_160)],
      ["BigInt64Array", BigInt64Array.from({ length: 3000 }, (_, i) => BigInt(i - 1500) * 2n ** 52n)],
      ["BigUint64Array", BigUint64Array.from({ length: 3000 }, (_, i) => 2n ** 64n - 1n - BigInt(i) * 2n ** 52n)],
      ["a view in the middle of a buffer", new BigInt64Array(noise(3010 * 8).buffer, 80, 3000)],
    ])("takes %s as it takes its numbers", (_, keys) => {
      const oneByOne = make();
      const changed = [...keys].filter((key) => oneByOne.add(key)).length;
      const batch = make();
      expect(batch.addMany(keys)).toBe(changed);
      expect(batch.equals(oneByOne)).toBe(true);
      expect(batch.hasMany(keys)).toEqual(new Uint8Array(3000).fill(1));
      const half = make();
      half.addMany(keys.subarray(0, 1500));
      expect([...half.hasMany(keys)]).toEqual([...keys].map((key) => Number(half.has(key))));
    });

    it("takes nothing, too", () => {
      const filter = make();
      const nothing = [[], new Set<Key>(), new Uint32Array(0), new BigInt64Array(0), pack([])];
      for (const keys of nothing) {
        expect(filter.addMany(keys)).toBe(0);
        expect(filter.hasMany(keys)).toEqual(new Uint8Array(0));
      }
      expect(filter.fillRatio).toBe(0);
    });

    it("builds itself from keys", () => {
      const filter = type.from(lists.mixed!, { ...engine, errorRate: 0.001 });
      expect(filter.capacity).toBe(lists.mixed!.length);
      expect(filter.hasMany(lists.mixed!)).toEqual(new Uint8Array(lists.mixed!.length).fill(1));
      expect(type.from(new Set(lists.mixed), { ...engine, errorRate: 0.001 }).equals(filter)).toBe(true);
      expect(type.from([], engine).capacity).toBe(1);
      expect(type.from(pack(["a", "b"]), engine)).toMatchObject({ capacity: 2, errorRate: 0.01 });
      expect(type.from(["a"], { ...engine, capacity: 500 }).capacity).toBe(500);
    });

    it("counts its keys and knows its rate from the fill", () => {
      const filter = make({ capacity: 100_000 });
      const most = can("overfill") ? 200_000 : 100_000;
      for (let n = 10_000; n <= most; n += 10_000) {
        filter.addMany(range(n - 10_000, n));
        if (counts) expect(filter.count).toBe(n);
        else expect(Math.abs(filter.count / n - 1)).toBeLessThan(0.01);
      }
      // At twice the capacity, far above the rate that was asked for.
      if (can("overfill")) expect(filter.currentErrorRate).toBeGreaterThan(0.05);
      if (counts) return;
      filter.addMany(range(0, most));
      expect(Math.abs(filter.count / most - 1)).toBeLessThan(0.01);
    });

    it("forgets everything when cleared", () => {
      const filter = make();
      const empty = filter.toBytes();
      filter.addMany(lists.mixed!);
      filter.clear();
      expect(filter.count).toBe(0);
      expect(filter.hasMany(lists.mixed!).includes(1)).toBe(false);
      expect(filter.toBytes()).toEqual(empty);
      filter.add("again");
      expect(filter.count).toBe(1);
    });

    it("clones itself, and the two part ways", () => {
      const filter = make({ seed: 3, ...roomy(8000) });
      filter.addMany(lists.mixed!);
      const before = filter.toBytes();
      const copy = filter.clone();
      expect(copy).toBeInstanceOf(type);
      expect(copy.engine).toBe(filter.engine);
      expect(copy.shared).toBe(filter.shared);
      expect(copy.toBytes()).toEqual(before);
      expect(copy.equals(filter)).toBe(true);
      expect(copy.count).toBe(filter.count);
      copy.addMany(lists.numbers!);
      expect(filter.toBytes()).toEqual(before);
      expect(copy.equals(filter)).toBe(false);
      filter.dispose();
      expect(copy.has(lists.numbers![7]!)).toBe(true);
    });

    it("equals only what has the same bits and the same geometry", () => {
      const filter = make();
      expect(filter.equals(make())).toBe(true);
      expect(filter.equals(make({ seed: 1 }))).toBe(false);
      expect(filter.equals(make({ capacity: 8000 }))).toBe(false);
      const other = make();
      other.add("one");
      expect(filter.equals(other)).toBe(false);
      filter.add("one");
      expect(filter.equals(other)).toBe(true);
      expect(filter.equals({} as Conforming)).toBe(false);
    });

    it("is compatible with the same geometry on any engine, and with nothing else", () => {
      for (const { options } of writable) expect(make().isCompatible(make(options))).toBe(true);
      expect(make().isCompatible(make({ seed: 1 }))).toBe(false);
      expect(make().isCompatible(make({ capacity: 8000 }))).toBe(false);
      expect(make().isCompatible(make({ errorRate: anotherRate }))).toBe(false);
      expect(make().isCompatible({} as Conforming)).toBe(false);
      expect(make().isCompatible(undefined as unknown as Conforming)).toBe(false);
    });

    it("takes a hash of the same seed only", () => {
      const filter = make({ seed: 1 });
      const hash = make({ seed: 2 }).hash("key");
      for (const method of ["hasHash", "addHash"] as const) {
        expect(() => filter[method](hash)).toThrow(BloomlineError);
        expect(() => filter[method](hash)).toThrow(/made with seed 2; this filter has seed 1/);
        expect(() => filter[method]("key" as never)).toThrow(TypeError);
        expect(() => filter[method](null as never)).toThrow(/what filter.hash\(key\) returned/);
      }
      expect(filter.fillRatio).toBe(0);
    });

    it("does what a key's owner does meanwhile no harm", () => {
      // A generator may use the very filter that reads it.
      const filter = make(roomy(5000));
      function* keys() {
        for (let i = 0; i < 2500; i++) {
          filter.add(`inner ${i}`);
          yield `outer ${i}`;
        }
      }
      filter.addMany(keys());
      const all = Array.from({ length: 2500 }, (_, i) => [`inner ${i}`, `outer ${i}`]).flat();
      expect(filter.hasMany(all)).toEqual(new Uint8Array(5000).fill(1));
    });

    describe("dispose", () => {
      it("ends a batch whose keys are still coming", () => {
        const filter = make();
        function* keys() {
          for (let i = 0; i < 5000; i++) {
            yield `key ${i}`;
            if (i === 2500) filter.dispose();
          }
        }
        expect(() => filter.addMany(keys())).toThrow(expect.objectContaining({ code: "ERR_DISPOSED" }));
        const again = make();
        function* disposing() {
          yield "key";
          again.dispose();
        }
        expect(() => again.hasMany(disposing())).toThrow(expect.objectContaining({ code: "ERR_DISPOSED" }));
      });

      it("may come twice", () => {
        const filter = make();
        filter.dispose();
        filter.dispose();
        filter[Symbol.dispose]();
      });

      it("leaves nothing to use", () => {
        const other = makeBits();
        const hash = other.hash("key");
        const uses: Record<string, (filter: BitFilter) => unknown> = {
          add: (f) => f.add("key"),
          has: (f) => f.has("key"),
          "add a number": (f) => f.add(1),
          "has a bigint": (f) => f.has(1n),
          "has bytes": (f) => f.has(encoder.encode("key")),
          addMany: (f) => f.addMany(["key"]),
          "addMany of nothing": (f) => f.addMany([]),
          hasMany: (f) => f.hasMany(["key"]),
          hash: (f) => f.hash("key"),
          hasHash: (f) => f.hasHash(hash),
          addHash: (f) => f.addHash(hash),
          clone: (f) => f.clone(),
          clear: (f) => f.clear(),
          equals: (f) => f.equals(other),
          "equals the other way": (f) => other.equals(f),
          toBytes: (f) => f.toBytes(),
          count: (f) => f.count,
          fillRatio: (f) => f.fillRatio,
          currentErrorRate: (f) => f.currentErrorRate,
          ...(can("merge") && {
            merge: (f: BitFilter) => f.merge(other),
            "merge of it": (f: BitFilter) => other.merge(f),
          }),
          ...(can("intersect") && { intersect: (f: BitFilter) => f.intersect(other) }),
        };
        const filter = makeBits();
        filter[Symbol.dispose]();
        for (const [name, use] of Object.entries(uses)) {
          let error: unknown;
          try {
            use(filter);
          } catch (thrown) {
            error = thrown;
          }
          expect(error, name).toBeInstanceOf(BloomlineError);
          expect(error, name).toMatchObject({ code: "ERR_DISPOSED" });
        }
        // What it was made for can still be read, for a log line.
        expect(filter.capacity).toBe(4000);
      });

      it("leaves its neighbours alone", () => {
        const neighbours = Array.from({ length: 30 }, (_, i) => {
          const filter = make({ capacity: 100 + i });
          filter.addMany(range(i, i + 100));
          return filter;
        });
        const bytes = neighbours.map((filter) => filter.toBytes());
        neighbours.forEach((filter, i) => {
          if (i % 3 === 0) filter.dispose();
        });
        const fresh = Array.from({ length: 20 }, (_, i) => make({ capacity: 90 + i }));
        for (const filter of fresh) expect(filter.fillRatio).toBe(0);
        for (const filter of fresh)
          expect(
            filter
              .toBytes()
              .subarray(64)
              .every((byte) => byte === 0),
          ).toBe(true);
        for (const filter of fresh) filter.addMany(range(0, can("overfill") ? 1000 : 90));
        neighbours.forEach((filter, i) => {
          if (i % 3 !== 0) expect(filter.toBytes()).toEqual(bytes[i]);
        });
      });
    });

    if (can("merge")) {
      describe.each(engines)("merged with $name", ({ options: otherEngine }) => {
        it("holds what either held", () => {
          const one = makeBits();
          const two = makeBits(otherEngine);
          const both = makeBits();
          one.addMany(lists["ASCII strings"]!.slice(0, 1500));
          two.addMany(lists["ASCII strings"]!.slice(1000));
          both.addMany(lists["ASCII strings"]!);
          const untouched = two.toBytes();
          expect(one.merge(two)).toBe(one);
          expect(one.toBytes()).toEqual(both.toBytes());
          expect(one.fillRatio).toBe(both.fillRatio);
          expect(two.toBytes()).toEqual(untouched);
        });
      });

      it("merges filters of more than a megabyte", () => {
        const [one, two, both] = [
          makeBits({ capacity: 1e6 }),
          makeBits({ capacity: 1e6 }),
          makeBits({ capacity: 1e6 }),
        ];
        one.addMany(range(0, 60_000));
        two.addMany(range(50_000, 100_000));
        both.addMany(range(0, 100_000));
        expect(one.merge(two).equals(both)).toBe(true);
        expect(one.count).toBe(both.count);
      });

      it("is as it was when merged with itself", () => {
        const filter = makeBits();
        filter.addMany(lists.numbers!);
        const before = filter.toBytes();
        expect(filter.merge(filter).toBytes()).toEqual(before);
      });

      it.each([
        [{ seed: 1 }, /^\w+ of .*seed 0 cannot merge \w+ of .*seed 1\. Build both with the same options/],
        [
          { capacity: 8000 },
          /^\w+ of (\d+) lines.* cannot merge \w+ of (?!\1 )\d+ lines.*Build both with the same options/,
        ],
        [
          { errorRate: 0.001 },
          /^.* (\d+) hashes.* cannot merge .* (?!\1 )\d+ hashes.*Build both with the same options/,
        ],
      ])("does not merge with another geometry: %o", (options, message) => {
        const filter = makeBits();
        filter.add("key");
        const before = filter.toBytes();
        expect(() => filter.merge(makeBits(options))).toThrow(expect.objectContaining({ code: "ERR_INCOMPATIBLE" }));
        expect(() => filter.merge(makeBits(options))).toThrow(message);
        expect(filter.toBytes()).toEqual(before);
      });

      it("does not merge with what is no filter", () => {
        for (const other of [undefined, null, {}, [], "filter"]) {
          expect(() => makeBits().merge(other as never)).toThrow(expect.objectContaining({ code: "ERR_INCOMPATIBLE" }));
        }
      });
    } else if (!apart.includes("merge")) {
      it("has no merge", () => expect(make()).not.toHaveProperty("merge"));
    }

    if (can("intersect")) {
      it.each(engines)("intersected with $name, holds what both held", ({ options: otherEngine }) => {
        const one = makeBits();
        const two = makeBits(otherEngine);
        one.addMany(lists["ASCII strings"]!.slice(0, 1500));
        two.addMany(lists["ASCII strings"]!.slice(1000));
        const theirs = two.toBytes();
        const expected = one
          .toBytes()
          .map((byte, i) => byte & theirs[i]!)
          .subarray(64);
        expect(one.intersect(two)).toBe(one);
        expect(one.toBytes().subarray(64)).toEqual(expected);
        const ones = expected.reduce((sum, byte) => sum + byte.toString(2).replaceAll("0", "").length, 0);
        // Not every bit of the last line need be one that a key can land on.
        const { bits } = one as unknown as { bits: number };
        expect(one.fillRatio).toBe(ones / bits);
        expect(one.hasMany(lists["ASCII strings"]!.slice(1000, 1500))).toEqual(new Uint8Array(500).fill(1));
        expect(() => one.intersect(makeBits({ seed: 9 }))).toThrow(/cannot intersect/);
      });
    } else if (!apart.includes("intersect")) {
      it("has no intersect", () => expect(make()).not.toHaveProperty("intersect"));
    }
  });

  it("gives the same bytes on every engine", () => {
    const [first, ...others] = writable.map(({ options }) => {
      const filter = new type({ capacity: 5000, errorRate: 1e-4, seed: 2n ** 64n - 1n, ...options });
      filter.addMany(lists.mixed!);
      return filter.toBytes();
    });
    for (const other of others) expect(other).toEqual(first);
  });
}
