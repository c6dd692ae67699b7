import { BloomFilter, errorRateAt } from "bloomline";
import { beforeAll, describe, expect, it } from "vitest";
import { sigma } from "../support/exact.js";
import { range } from "../support/random.js";
import { countMembers } from "../support/rates.js";

// A lower rate needs more questions for as many false answers, and more keys so that one filter is like another.
const trials = [
  { errorRate: 0.03, keys: 1_000_000, asked: 4_000_000, falsePositives: 116_662 },
  { errorRate: 0.01, keys: 1_000_000, asked: 8_000_000, falsePositives: 78_136 },
  { errorRate: 0.001, keys: 1_000_000, asked: 24_000_000, falsePositives: 23_486 },
  { errorRate: 0.0001, keys: 2_000_000, asked: 80_000_000, falsePositives: 7_877 },
];

describe.each(trials)("a filter of $keys keys at $errorRate", ({ errorRate, keys, asked, falsePositives }) => {
  let filter: BloomFilter;
  let wrong: number;
  let expected: number;

  beforeAll(() => {
    filter = new BloomFilter({ capacity: keys, errorRate, seed: 2026 });
    filter.addMany(range(0, keys));
    wrong = countMembers(filter, keys, keys + asked);
    expected = errorRateAt(keys, filter.lines, filter.hashes);
  });

  it("has no false negative", () => {
    expect(countMembers(filter, 0, keys)).toBe(keys);
  });

  it("is within four sigma of the formula", () => {
    const deviation = sigma(keys, filter.lines, filter.hashes, asked);
    expect(Math.abs(wrong / asked - expected) / deviation).toBeLessThan(4);
  });

  it("is at or below the rate that was asked for", () => {
    expect(wrong / asked).toBeLessThanOrEqual(errorRate);
  });

  it("gives the very false positives that it always gave", () => {
    expect(wrong).toBe(falsePositives);
  });

  it("knows its rate and its number of keys from its fill", () => {
    expect(Math.abs(filter.currentErrorRate / expected - 1)).toBeLessThan(0.005);
    expect(Math.abs(filter.count / keys - 1)).toBeLessThan(0.001);
  });
});

describe("false negatives", () => {
  it.each(["wasm", "js"] as const)("do not exist among a million strings on %s", (engine) => {
    const keys = Array.from({ length: 1_000_000 }, (_, i) => `https://example.com/item/${i}`);
    const filter = BloomFilter.from(keys, { engine, errorRate: 0.001 });
    expect(filter.hasMany(keys).indexOf(0)).toBe(-1);
    expect(keys.findIndex((key) => !filter.has(key))).toBe(-1);
  });

  it("do not exist in a filter filled far beyond its capacity", () => {
    const filter = new BloomFilter({ capacity: 1000 });
    filter.addMany(range(0, 20_000));
    expect(countMembers(filter, 0, 20_000)).toBe(20_000);
    expect(filter.currentErrorRate).toBeGreaterThan(0.95);
  });

  it("do not exist where every bit is set", () => {
    const filter = new BloomFilter({ capacity: 1 });
    filter.addMany(range(0, 5000));
    expect(filter.fillRatio).toBe(1);
    expect(filter.count).toBe(Number.POSITIVE_INFINITY);
    expect(filter.currentErrorRate).toBe(1);
    expect(filter.has("anything")).toBe(true);
  });
});
