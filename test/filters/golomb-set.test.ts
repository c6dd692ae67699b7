import { FuseFilter, GolombSet } from "bloomline";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { engines } from "../support/engines.js";
import { bytesOf, murmur3 } from "../support/model.js";
import { range } from "../support/random.js";
import { keyOf } from "../support/unhash.js";

const hits = (answers: Uint8Array) => answers.reduce((sum, answer) => sum + answer, 0);

/** Bits of all codes, from the header. */
const codeBits = (set: GolombSet) => new DataView(set.toBytes().buffer).getUint32(56, true);

/** The values of keys, from the description of the set. */
function valuesOf(keys: readonly (string | number)[], limit: number, seed = 0n): number[] {
  const values = keys.map((key) => Number((murmur3(bytesOf(key), seed).h1 * BigInt(limit)) >> 64n));
  return [...new Set(values)].sort((a, b) => a - b);
}

describe.each([0.5, 0.1, 0.01, 1 / 512, 1 / 533, 1 / 724, 1e-3, 1e-6, 1e-9])("at an error rate of %d", (errorRate) => {
  const n = 200_000;
  const set = GolombSet.from(range(0, n), { errorRate, seed: 4 });

  it("finds all, and strangers at the rate", () => {
    expect(hits(set.hasMany(range(0, n)))).toBe(n);
    const asked = 2_000_000;
    const found = hits(set.hasMany(range(n, n + asked)));
    // What the values that are there let through; two keys may share one.
    const expected = (set.count / set.limit) * asked;
    expect(set.count / set.limit).toBeLessThanOrEqual(errorRate);
    expect(Math.abs(found - expected)).toBeLessThan(4 * Math.sqrt(expected + 1));
  });

  it("codes a value within 0.1 bits of log2(1 / rate) + 1.5", () => {
    const perValue = codeBits(set) / set.count;
    const gap = set.limit / set.count;
    expect(perValue).toBeLessThan(Math.log2(gap) + 1.6);
    // No code can do better than the entropy of the gaps; a geometric gap has less than log2(mean) + 1.44.
    expect(perValue).toBeGreaterThan(Math.log2(gap) + (gap < 3 ? 0.9 : 1.3));
  });

  it("spends at most 0.6 bits a key on its index, header and rounding", () => {
    expect((set.toBytes().length * 8 - codeBits(set)) / n).toBeLessThan(0.62);
  });
});

it("takes at most 11.1 bits a key at 1/512, all told", () => {
  const set = GolombSet.from(range(0, 1_000_000), { errorRate: 1 / 512 });
  expect((set.toBytes().length * 8) / 1_000_000).toBeLessThan(11.1);
});

it("is smaller than a FuseFilter where the rate lies between its sizes, and larger at 1/256", () => {
  const keys = range(0, 100_000);
  const golomb = (errorRate: number) => GolombSet.from(keys, { errorRate }).byteLength;
  const [eight, sixteen, thirtyTwo] = ([8, 16, 32] as const).map((bits) => FuseFilter.from(keys, { bits }).byteLength);
  expect(golomb(1 / 256)).toBeGreaterThan(eight!);
  for (const rate of [1 / 300, 1 / 4096, 1 / 30_000]) expect(golomb(rate)).toBeLessThan(sixteen!);
  for (const rate of [1e-5, 1e-6, 1e-9]) expect(golomb(rate)).toBeLessThan(thirtyTwo!);
});

describe.each(engines)("on $name", ({ options }) => {
  it("iterates over the values that the description predicts", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer(), { maxLength: 300 }),
        fc.double({ min: 1e-9, max: 0.5, noNaN: true }),
        (keys, errorRate) => {
          const set = GolombSet.from(keys, { errorRate, ...options });
          expect([...set]).toEqual(valuesOf(keys, set.limit));
          expect([...set.values()].length).toBe(set.count);
        },
      ),
      { numRuns: 60, seed: 1 },
    );
  });

  it("merges into what all keys together give", () => {
    const both = { capacity: 3000, errorRate: 0.001, seed: 8, ...options };
    const one = GolombSet.from(range(0, 2000), both);
    const two = GolombSet.from(range(1000, 3000), { ...both, engine: "js", shared: false });
    const all = GolombSet.from(range(0, 3000), both);
    const before = one.toBytes();
    const merged = one.merge(two);
    expect(merged.toBytes()).toEqual(all.toBytes());
    expect(merged.engine).toBe(options.engine);
    expect(merged.shared).toBe(options.shared);
    expect(one.toBytes()).toEqual(before);
    expect(two.merge(one).equals(merged)).toBe(true);
    expect(one.currentErrorRate).toBeLessThan(merged.currentErrorRate);
    expect(merged.currentErrorRate).toBeLessThanOrEqual(0.001);
    const nothing = GolombSet.from([], both);
    expect(one.merge(nothing).equals(one)).toBe(true);
    expect(nothing.merge(nothing).count).toBe(0);
  });

  it("keeps every bucket short, whatever the keys are", () => {
    // Their values are some ten apart, so they would all come to the first bucket.
    const keys = Array.from({ length: 5000 }, (_, i) => keyOf(BigInt(i) << 45n, 0n));
    const set = GolombSet.from(keys, { errorRate: 0.001, ...options });
    expect(set.toBytes()[14]).toBeGreaterThan(0);
    expect(set.hasMany(keys).includes(0)).toBe(false);
    expect(set.count).toBeGreaterThan(4980);
    const plain = GolombSet.from(["a"], { capacity: 5000, errorRate: 0.001, ...options });
    expect(() => plain.merge(set)).toThrow(expect.objectContaining({ code: "ERR_INCOMPATIBLE" }));
  });
});

it("merges only what means the same", () => {
  const set = GolombSet.from(["a"], { capacity: 10 });
  for (const options of [{ capacity: 11 }, { capacity: 10, errorRate: 0.1 }, { capacity: 10, seed: 1 }]) {
    expect(() => set.merge(GolombSet.from(["b"], options))).toThrow(
      /Cannot merge: this is a GolombSet with capacity 10/,
    );
  }
  expect(() => set.merge({} as GolombSet)).toThrow(/the other is an object/);
});

it("holds ten million keys", () => {
  const keys = range(0, 10_000_000);
  const set = GolombSet.from(keys, { errorRate: 1 / 512 });
  expect(set.hasMany(keys).includes(0)).toBe(false);
  expect(set.bitsPerKey).toBeLessThan(11.1);
});

describe("options", () => {
  it.each([
    [{ errorRate: 0 }, /errorRate is 0/],
    [{ errorRate: 0.6 }, /errorRate is 0.6/],
    [{ capacity: 0 }, /capacity is 0/],
    [{ capacity: 1e9, errorRate: 1e-9 }, /must be below 2\^53/],
  ])("%o is refused", (options, message) => {
    expect(() => GolombSet.from(["a"], options)).toThrow(message);
  });
});
