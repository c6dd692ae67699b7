import { CompactBloomFilter, CountingBloomFilter, type Key, openFilter } from "bloomline";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CountingModel, compactLines } from "../support/deleting.js";
import { engines } from "../support/engines.js";
import { exactRateAt, sigma } from "../support/exact.js";
import { anyKey } from "../support/keys.js";
import { range } from "../support/random.js";
import { countMembers } from "../support/rates.js";

const linesOf = (filter: { toBytes(): Uint8Array }) => Buffer.from(filter.toBytes().subarray(64));
const widths = [4, 8] as const;

describe.each(engines)("CountingBloomFilter on $name", ({ options }) => {
  it.each(widths)("has every counter of %i bits where the model has it", (counterBits) => {
    const step = fc.record({ key: fc.nat(60), action: fc.constantFrom("add", "add", "delete", "has", "reload") });
    const geometry = fc.record({
      capacity: fc.integer({ min: 1, max: 60 }),
      errorRate: fc.constantFrom(0.3, 0.01, 1e-4, 1e-6),
      seed: fc.bigInt(0n, 2n ** 64n - 1n),
    });
    fc.assert(
      fc.property(geometry, fc.array(step, { maxLength: 150 }), (geometry, steps) => {
        let filter = new CountingBloomFilter({ ...geometry, counterBits, ...options });
        const model = new CountingModel(filter);
        let count = 0;
        for (const { key, action } of steps) {
          if (action === "add") {
            expect(filter.add(key)).toBe(true);
            model.step(key, 1);
            count++;
          } else if (action === "delete") {
            const there = model.has(key);
            expect(filter.delete(key)).toBe(there);
            if (there) model.step(key, -1);
            count -= Number(there);
          } else if (action === "has") {
            expect(filter.has(key)).toBe(model.has(key));
          } else {
            filter = openFilter(filter.toBytes(), options) as CountingBloomFilter;
          }
        }
        expect(Buffer.compare(linesOf(filter), model.lines())).toBe(0);
        expect(filter.count).toBe(count);
        expect(filter.fillRatio).toBeCloseTo(model.counters.filter(Boolean).length / model.counters.length, 12);
        expect(filter.stuckCounters).toBe(model.counters.filter((counter) => counter === 2 ** counterBits - 1).length);
      }),
      { numRuns: 60 },
    );
  });

  it("never says no to a key added more often than deleted", () => {
    const step = fc.record({ key: fc.oneof(anyKey, fc.nat(5)), isAdd: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 100 }), (steps) => {
        const filter = new CountingBloomFilter({ capacity: 200, errorRate: 1e-6, ...options });
        const there = new Map<string, { key: Key; times: number }>();
        for (const { key, isAdd } of steps) {
          const { h1 } = filter.hash(key);
          const entry = there.get(`${h1}`) ?? { key, times: 0 };
          there.set(`${h1}`, entry);
          if (isAdd) filter.add(key);
          else if (entry.times > 0) expect(filter.delete(key)).toBe(true);
          entry.times = Math.max(0, entry.times + (isAdd ? 1 : -1));
        }
        for (const { key, times } of there.values()) if (times > 0) expect(filter.has(key)).toBe(true);
      }),
    );
  });

  it.each(widths)("keeps counters of %i bits at their maximum", (counterBits) => {
    const most = 2 ** counterBits - 1;
    const filter = new CountingBloomFilter({ capacity: 100, counterBits, ...options });
    for (let i = 0; i < most - 1; i++) filter.add("often");
    expect(filter.stuckCounters).toBe(0);
    filter.add("often");
    const stuck = filter.stuckCounters;
    expect(stuck).toBeGreaterThan(0);
    expect(stuck).toBeLessThanOrEqual(filter.hashes);
    const bytes = linesOf(filter);
    filter.add("often");
    expect(linesOf(filter).equals(bytes)).toBe(true);
    expect(filter.count).toBe(most + 1);
    // It is there for ever, and so is whatever shares a counter with it.
    for (let i = 0; i < most + 1; i++) expect(filter.delete("often")).toBe(true);
    expect(filter.has("often")).toBe(true);
    expect(filter.stuckCounters).toBe(stuck);
    expect(linesOf(filter).equals(bytes)).toBe(true);
  });

  it("is not changed by deleting what is not there", () => {
    const filter = new CountingBloomFilter({ capacity: 10_000, errorRate: 1e-4, ...options });
    expect(filter.delete("anything")).toBe(false);
    filter.addMany(range(0, 10_000));
    const before = filter.toBytes();
    const strangers = [...range(10_000, 20_000)].filter((key) => !filter.has(key));
    expect(strangers.length).toBeGreaterThan(9_900);
    expect(strangers.filter((key) => filter.delete(key))).toEqual([]);
    expect(filter.deleteHash(filter.hash(strangers[0]!))).toBe(false);
    expect(filter.toBytes()).toEqual(before);
  });

  it("counts to zero and not below, however often a key is deleted whose counters stick", () => {
    const filter = new CountingBloomFilter({ capacity: 100, ...options });
    for (let i = 0; i < 20; i++) filter.add("often");
    expect(filter.stuckCounters).toBeGreaterThan(0);
    const deleted = Array.from({ length: 30 }, () => filter.delete("often"));
    expect(deleted.lastIndexOf(true)).toBe(19);
    expect(filter.count).toBe(0);
    expect(filter.has("often")).toBe(true);
    expect((openFilter(filter.toBytes(), options) as CountingBloomFilter).count).toBe(0);
    filter.add("once");
    expect(filter.count).toBe(1);
    expect(filter.delete("once")).toBe(true);
    expect(filter.has("once")).toBe(false);
  });

  it.each(widths)("compacts counters of %i bits to bits that answer alike", (counterBits) => {
    const filter = new CountingBloomFilter({ capacity: 3000, counterBits, seed: 11, ...options });
    filter.addMany(range(0, 4000));
    for (const key of range(0, 1000)) filter.delete(key);
    const compact = filter.toBloomFilter();
    expect(compact).toBeInstanceOf(CompactBloomFilter);
    expect(compact.engine).toBe(filter.engine);
    expect(compact).toMatchObject({ capacity: 3000, errorRate: 0.01, seed: 11n, blocks: filter.lines });
    expect(compact.byteLength).toBe(Math.ceil(filter.byteLength / counterBits / 64) * 64);
    expect(Buffer.compare(compact.hasMany(range(0, 50_000)), filter.hasMany(range(0, 50_000)))).toBe(0);
    expect(linesOf(compact).equals(compactLines(compact, [...range(1000, 4000)]))).toBe(true);
    expect(compact.fillRatio).toBe(filter.fillRatio);
    expect(compact.currentErrorRate).toBe(filter.currentErrorRate);
    expect(openFilter(compact.toBytes()).equals(compact)).toBe(true);
    // It is the very filter that one of the same options builds from the keys.
    const built = new CompactBloomFilter({ capacity: 3000, blockBits: (512 / counterBits) as 64 | 128, seed: 11 });
    built.addMany(range(1000, 4000));
    expect(built.equals(compact)).toBe(true);
    compact.add("more");
    expect(compact.has("more")).toBe(true);
    expect(filter.has("more")).toBe(false);
  });

  it("compacts a filter of more than a megabyte", () => {
    const filter = new CountingBloomFilter({ capacity: 300_000, ...options });
    filter.addMany(range(0, 300_000));
    const compact = filter.toBloomFilter({ engine: "wasm", shared: true });
    expect(compact.shared).toBe(true);
    expect(Buffer.compare(compact.hasMany(range(0, 600_000)), filter.hasMany(range(0, 600_000)))).toBe(0);
    expect(compact.count / 300_000).toBeCloseTo(1, 2);
  });
});

describe("rates of CountingBloomFilter", () => {
  const trials = [
    { errorRate: 0.03, counterBits: 4, asked: 2_000_000 },
    { errorRate: 0.01, counterBits: 4, asked: 4_000_000 },
    { errorRate: 0.01, counterBits: 8, asked: 4_000_000 },
    { errorRate: 0.001, counterBits: 4, asked: 10_000_000 },
  ] as const;
  it.each(trials)("at $errorRate with $counterBits bits", ({ errorRate, counterBits, asked }) => {
    const keys = 400_000;
    const filter = new CountingBloomFilter({ capacity: keys, errorRate, counterBits, seed: 2026 });
    // As many again came and went.
    filter.addMany(range(keys, 2 * keys));
    filter.addMany(range(0, keys));
    for (const key of range(keys, 2 * keys)) filter.delete(key);
    expect(countMembers(filter, 0, keys)).toBe(keys);
    const rate = countMembers(filter, 2 * keys, 2 * keys + asked) / asked;
    const { lines, hashes } = filter;
    const expected = exactRateAt(keys, lines, hashes, 512 / counterBits);
    expect(expected).toBeLessThan(0.981 * errorRate);
    expect(expected).toBeGreaterThan(0.97 * errorRate);
    expect(Math.abs(rate - expected) / sigma(keys, lines, hashes, asked, 512 / counterBits)).toBeLessThan(4);
    expect(filter.currentErrorRate / rate).toBeCloseTo(1, 1);
    expect(filter.count).toBe(keys);
    expect(filter.stuckCounters).toBe(0);
  });

  it("holds in lines too small for the usual formula, where every key has its cells", () => {
    const filter = new CountingBloomFilter({ capacity: 100, errorRate: 1e-6, counterBits: 8 });
    filter.addMany(range(0, 100));
    expect(countMembers(filter, 100, 2_000_000)).toBeLessThan(16);
  });
});

describe("options of CountingBloomFilter", () => {
  it.each([
    [{ capacity: 0 }, RangeError, /capacity is 0/],
    [{ capacity: 10, errorRate: 1e-7 }, RangeError, /errorRate is 1e-7; .*Use a CuckooFilter/],
    [{ capacity: 10, errorRate: 0.6 }, RangeError, /errorRate is 0.6/],
    [{ capacity: 10, counterBits: 5 }, RangeError, /counterBits is 5; it must be 4 or 8/],
    [{ capacity: 10, seed: -1 }, RangeError, /seed is -1/],
    [{ capacity: 1e11 }, RangeError, /just under 4 GiB hold/],
    [undefined, TypeError, /options is undefined/],
  ])("%o are refused", (options, type, message) => {
    expect(() => new CountingBloomFilter(options as never)).toThrow(type);
    expect(() => new CountingBloomFilter(options as never)).toThrow(message);
  });

  it("of CompactBloomFilter, too", () => {
    expect(() => new CompactBloomFilter({ capacity: 10, blockBits: 512 as never })).toThrow(/must be 128 or 64/);
    expect(() => new CompactBloomFilter({ capacity: 10, errorRate: 1e-7 })).toThrow(RangeError);
  });
});
