import { BloomlineError, type Key, openFilter, ScalableBloomFilter } from "bloomline";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { rewritten } from "../support/header.js";
import { anyKey } from "../support/keys.js";
import { bytesOf } from "../support/model.js";
import { pack } from "../support/packed.js";
import { range } from "../support/random.js";

const engines = ["wasm", "js"] as const;
const ones = (answers: Uint8Array) => answers.reduce((sum, answer) => sum + answer, 0);

describe("growing from 1,000 to 10,000,000 keys", () => {
  it.each([
    { growth: 2, tightening: 0.85 },
    { growth: 4, tightening: 0.5 },
  ])("stays at or below the target, by $growth and $tightening", ({ growth, tightening }) => {
    const errorRate = 0.01;
    const filter = new ScalableBloomFilter({ capacity: 1000, errorRate, growth, tightening });
    const asked = 500_000;
    let keys = 0;
    for (const upTo of [1_000, 10_000, 100_000, 1_000_000, 10_000_000]) {
      for (; keys < upTo; keys += 1000) filter.addMany(range(keys, keys + 1000));
      const wrong = ones(filter.hasMany(range(2 ** 31, 2 ** 31 + asked)));
      expect(wrong / asked).toBeLessThanOrEqual(errorRate);
      const expected = asked * filter.currentErrorRate;
      expect(Math.abs(wrong - expected)).toBeLessThan(4 * Math.sqrt(expected) + 0.03 * expected);
      expect(filter.capacity).toBeGreaterThanOrEqual(filter.count);
      // A key that was taken for a member is not counted: about the error rate of them.
      expect(filter.count / keys).toBeGreaterThan(1 - errorRate);
    }
    for (let at = 0; at < keys; at += 100_000) {
      expect(filter.hasMany(range(at, at + 100_000)).indexOf(0)).toBe(-1);
    }
    expect(filter.layers).toBe(growth === 2 ? 14 : 8);
    filter.dispose();
  });
});

describe.each(engines)("on %s", (engine) => {
  it("is a set that never forgets, whatever is done to it", () => {
    const step = fc.oneof(
      fc.record({ do: fc.constant("add" as const), key: anyKey }),
      fc.record({ do: fc.constant("addMany" as const), keys: fc.array(anyKey, { maxLength: 40 }) }),
      fc.record({ do: fc.constant("addHash" as const), key: anyKey }),
      fc.record({ do: fc.constantFrom("save" as const, "clone" as const, "clear" as const) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25 }), fc.integer({ min: 1, max: 4 }), (steps, growth) => {
        let filter = new ScalableBloomFilter({ capacity: 5, growth, seed: 1, engine });
        const model = new Map<string, Key>();
        const put = (key: Key) => model.set(Buffer.from(bytesOf(key)).toString("hex"), key);
        for (const step of steps) {
          if (step.do === "add") {
            const had = filter.has(step.key);
            expect(filter.add(step.key)).toBe(!had);
            put(step.key);
          } else if (step.do === "addMany") {
            const before = filter.count;
            expect(filter.addMany(step.keys)).toBe(filter.count - before);
            step.keys.forEach(put);
          } else if (step.do === "addHash") {
            filter.addHash(filter.hash(step.key));
            put(step.key);
          } else if (step.do === "clear") {
            filter.clear();
            model.clear();
            expect(filter).toMatchObject({ count: 0, layers: 1 });
          } else {
            const bytes = filter.toBytes();
            filter = step.do === "clone" ? filter.clone() : (openFilter(bytes, { engine }) as ScalableBloomFilter);
            expect(filter.toBytes()).toEqual(bytes);
          }
          const keys = [...model.values()];
          expect(filter.hasMany(keys).includes(0)).toBe(false);
          expect(keys.every((key) => filter.has(key) && filter.hasHash(filter.hash(key)))).toBe(true);
          expect(filter.count).toBeLessThanOrEqual(model.size);
        }
      }),
      { numRuns: 80 },
    );
  });

  it("gives the same bytes one by one, in batches, packed and from an iterable, across layers", () => {
    const keys = Array.from({ length: 5000 }, (_, i) => `key ${i % 4000}`);
    const oneByOne = new ScalableBloomFilter({ capacity: 100, engine });
    for (const key of keys) oneByOne.add(key);
    expect(oneByOne.layers).toBe(6);
    for (const form of [keys, new Set(keys), keys.values(), pack(keys)]) {
      const batch = new ScalableBloomFilter({ capacity: 100, engine });
      expect(batch.addMany(form)).toBe(oneByOne.count);
      expect(batch.toBytes()).toEqual(oneByOne.toBytes());
      expect(batch.equals(oneByOne)).toBe(true);
    }
    const strangers = Array.from({ length: 3000 }, (_, i) => `stranger ${i}`);
    expect([...oneByOne.hasMany(strangers)]).toEqual(strangers.map((key) => Number(oneByOne.has(key))));
    const other = new ScalableBloomFilter({ capacity: 100, engine: engine === "js" ? "wasm" : "js" });
    other.addMany(keys);
    expect(other.toBytes()).toEqual(oneByOne.toBytes());
  });

  it("stops at maxBytes with what it holds intact", () => {
    const filter = new ScalableBloomFilter({ capacity: 100, maxBytes: 3000, engine });
    let added = 0;
    const add = () => {
      for (;;) {
        filter.add(added);
        added++;
      }
    };
    expect(add).toThrow(/holds \d+ keys in \d+ bytes; its next layer would take \d+ more, and maxBytes is 3000/);
    expect(add).toThrow(expect.objectContaining({ code: "ERR_FULL" }));
    expect(filter.byteLength).toBeLessThanOrEqual(3000);
    expect(filter.count).toBe(filter.capacity);
    expect(filter.hasMany(range(0, added)).includes(0)).toBe(false);
    const before = filter.toBytes();
    expect(() => filter.addMany(range(1e6, 1e6 + 100))).toThrow(BloomlineError);
    expect(filter.toBytes()).toEqual(before);
    // What is there needs no room.
    expect(filter.addMany(range(0, added))).toBe(0);
    const larger = ScalableBloomFilter.fromBytes(before, { engine, maxBytes: 1e6 });
    larger.addMany(range(1e6, 1e6 + 100));
    expect(larger.count).toBeGreaterThan(filter.count);
  });

  it("is gone when disposed of", () => {
    const filter = new ScalableBloomFilter({ capacity: 10, engine });
    filter.addMany(range(0, 100));
    filter.dispose();
    filter.dispose();
    for (const use of [
      () => filter.add("a"),
      () => filter.has("a"),
      () => filter.hasMany(["a"]),
      () => filter.toBytes(),
    ]) {
      expect(use).toThrow(expect.objectContaining({ code: "ERR_DISPOSED" }));
    }
  });
});

describe("what it refuses", () => {
  it.each([
    [{ capacity: 0 }, /^capacity is 0/],
    [{ errorRate: 1 }, /^errorRate is 1/],
    [{ growth: 0 }, /^growth is 0; it must be a whole number from 1 to 64/],
    [{ growth: 1.5 }, /^growth is 1.5/],
    [{ tightening: 1 }, /^tightening is 1; it must be a number from 0.1 to 0.99/],
    [{ errorRate: 1e-9 }, /^errorRate is 1e-9; it must be at least 6.67e-9 with a tightening of 0.85/],
    [{ errorRate: 1e-9, tightening: 0.1 }, /^errorRate is 1e-9; it must be at least 1.11e-9 with a tightening of 0.1/],
    [{ maxBytes: 1 }, /^maxBytes is 1/],
    [{ maxBytes: 2 ** 33 }, /^maxBytes is 8589934592/],
    [{ shared: true }, /^shared is true; a filter made of several cannot be shared/],
    [{ shared: "yes" }, /^shared is "yes"; a filter made of several cannot be shared/],
    [{ seed: -1 }, /^seed is -1/],
    ["no", /^options is "no"/],
  ])("%o", (options, message) => {
    expect(() => new ScalableBloomFilter(options as never)).toThrow(message);
  });

  it("a rate below what a layer can have", () => {
    // The lowest that there is makes a filter of one layer.
    expect(new ScalableBloomFilter({ capacity: 5, errorRate: 2e-9, tightening: 0.5 }).layers).toBe(1);
    const filter = new ScalableBloomFilter({ capacity: 1, errorRate: 1e-8, tightening: 0.5 });
    expect(() => filter.addMany(range(0, 100))).toThrow(/would need an error rate of .*; 1e-9 is the least/);
  });
});

describe("hostile bytes", () => {
  const filter = new ScalableBloomFilter({ capacity: 10, seed: 4 });
  filter.addMany(range(0, 50));
  const good = filter.toBytes();

  it("with any byte changed are refused", () => {
    for (let at = 0; at < good.length; at++) {
      const bad = Uint8Array.from(good);
      bad[at]! ^= 0x40;
      expect(() => openFilter(bad), `byte ${at}`).toThrow(BloomlineError);
    }
    expect(filter.equals(openFilter(good) as ScalableBloomFilter)).toBe(true);
  });

  it("cut anywhere are refused", () => {
    for (let length = 0; length < good.length; length += 7) {
      expect(() => openFilter(good.subarray(0, length))).toThrow(BloomlineError);
    }
  });

  it.each([
    ["another growth", { reserved: 3 }],
    ["no growth", { reserved: 0 }],
    ["no tightening", { reservedToo: 0 }],
    ["another capacity", { capacity: 11n }],
    ["another rate", { errorRate: 0.02 }],
    ["a rate that no layer can have", { errorRate: 1e-9 }],
    ["a rate of 1", { errorRate: 1 }],
    ["another seed", { seed: 5n }],
    ["more keys than room", { ones: 1000n }],
    ["fewer keys than full layers", { ones: 1n }],
    ["hashes", { hashes: 1 }],
  ])("that claim, checksum and all, %s", (_, fields) => {
    expect(() => openFilter(rewritten(good, fields))).toThrow(expect.objectContaining({ code: "ERR_CORRUPT" }));
  });
});
