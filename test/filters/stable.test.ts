import { openFilter, StableBloomFilter } from "bloomline";
import { describe, expect, it } from "vitest";
import { engines } from "../support/engines.js";
import { range } from "../support/random.js";

const ones = (answers: Uint8Array) => answers.reduce((sum, answer) => sum + answer, 0);

describe.each([
  { capacity: 2000, errorRate: 0.01, forgetRate: 0.01, cellBits: undefined },
  { capacity: 5000, errorRate: 0.05, forgetRate: 0.1, cellBits: 1 },
  { capacity: 5000, errorRate: 0.02, forgetRate: 0.05, cellBits: 2 },
  { capacity: 2000, errorRate: 0.01, forgetRate: 0.02, cellBits: 8 },
] as const)("a stable filter: $capacity, $errorRate, $forgetRate, $cellBits bits", (options) => {
  const { cellBits, ...rates } = options;
  const filter = new StableBloomFilter({ ...rates, ...(cellBits && { cellBits }), seed: 11 });

  it("settles at the rate of the formula, which is at most the one that was asked for", () => {
    expect(filter.stableErrorRate).toBeLessThanOrEqual(options.errorRate * 1.001);
    const samples: number[] = [];
    // A full cell is empty after about `toEmpty` adds; what it was in the beginning is gone after some multiple of that.
    const toEmpty = ((2 ** filter.cellBits - 1) * filter.cells) / filter.fading;
    const settled = Math.ceil((8 * toEmpty) / options.capacity);
    for (let round = 0; round < settled + 32; round++) {
      filter.addMany(range(round * options.capacity, (round + 1) * options.capacity));
      if (round < settled) continue;
      samples.push(ones(filter.hasMany(range(2 ** 31 + round * 20_000, 2 ** 31 + (round + 1) * 20_000))) / 20_000);
    }
    const mean = samples.reduce((sum, x) => sum + x, 0) / samples.length;
    const deviation = Math.sqrt(samples.reduce((sum, x) => sum + (x - mean) ** 2, 0) / (samples.length - 1));
    expect(Math.abs(mean - filter.stableErrorRate)).toBeLessThan((4 * deviation) / Math.sqrt(samples.length));
    expect(filter.currentErrorRate).toBeLessThan(2 * options.errorRate);
  });

  it("forgets as the formula says, and no more than was asked for", () => {
    const latest = filter.count;
    // Strangers came last in no round, so ages are exact: the key i was added latest - i adds ago.
    for (const share of [0.25, 0.5, 1, 2]) {
      const age = share * options.capacity;
      const width = options.capacity / 5;
      const keys = range(latest - age - width / 2, Math.min(latest, latest - age + width / 2));
      const lost = 1 - ones(filter.hasMany(keys)) / keys.length;
      const expected = keys.reduce((sum, key) => sum + filter.forgetRateAfter(latest - key), 0) / keys.length;
      // A forgotten key may still be taken for a member by chance; the formula has that in it.
      expect(Math.abs(lost - expected)).toBeLessThan(5 * Math.sqrt((expected * (1 - expected)) / keys.length) + 0.01);
    }
    expect(filter.forgetRateAfter(options.capacity)).toBeLessThanOrEqual(options.forgetRate * 1.001);
    expect(filter.forgetRateAfter(0)).toBe(0);
    expect(filter.forgetRateAfter(1e9)).toBeCloseTo(1 - filter.stableErrorRate, 5);
  });

  it("never forgets the key it was given last", () => {
    for (let i = 0; i < 1000; i++) {
      filter.add(`key ${i}`);
      expect(filter.has(`key ${i}`)).toBe(true);
    }
  });
});

describe("determinism", () => {
  it("a saved filter goes on as if it had not been saved, on any engine", () => {
    const straight = new StableBloomFilter({ capacity: 300, seed: 3 });
    let saved = new StableBloomFilter({ capacity: 300, seed: 3 });
    for (let round = 0; round < 12; round++) {
      const keys = range(round * 100, round * 100 + 150);
      straight.addMany(keys);
      saved.addMany(keys);
      saved = openFilter(saved.toBytes(), engines[round % engines.length]!.options) as StableBloomFilter;
      expect(saved.count).toBe(straight.count);
    }
    expect(saved.toBytes()).toEqual(straight.toBytes());
    expect(saved.clone().equals(straight)).toBe(true);
  });

  it("another seed fades other cells", () => {
    const [one, two] = [1, 2].map((seed) => new StableBloomFilter({ capacity: 100, seed }));
    for (const filter of [one!, two!]) filter.addMany(range(0, 500));
    expect(one!.toBytes().subarray(64)).not.toEqual(two!.toBytes().subarray(64));
  });
});
