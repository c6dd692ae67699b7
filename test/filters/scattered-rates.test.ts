import { ClassicBloomFilter, classicSizeFor, PartitionedBloomFilter } from "bloomline";
import { describe, expect, it } from "vitest";
import { numbers, range } from "../support/random.js";
import { countMembers } from "../support/rates.js";

const classes = [
  { name: "ClassicBloomFilter", type: ClassicBloomFilter },
  { name: "PartitionedBloomFilter", type: PartitionedBloomFilter },
] as const;

/** How many of so many strangers the filter takes for members. */
const falsePositives = (filter: InstanceType<(typeof classes)[number]["type"]>, asked: number) =>
  countMembers(filter, 2 ** 31, 2 ** 31 + asked);

describe.each(classes)("$name", ({ type }) => {
  it.each([
    { errorRate: 0.03, keys: 1_000_000, asked: 4_000_000 },
    { errorRate: 0.01, keys: 1_000_000, asked: 8_000_000 },
    { errorRate: 0.001, keys: 1_000_000, asked: 16_000_000 },
    { errorRate: 0.0001, keys: 500_000, asked: 32_000_000 },
  ])("of $keys keys keeps $errorRate, finds them all, and takes what theory says", ({ errorRate, keys, asked }) => {
    const filter = new type({ capacity: keys, errorRate, seed: 2026 });
    const members = range(0, keys);
    filter.addMany(members);
    expect(filter.hasMany(members).indexOf(0)).toBe(-1);
    const wrong = falsePositives(filter, asked);
    // Sized for 0.978 of the rate; counting scatters by a square root.
    const expected = asked * filter.currentErrorRate;
    expect(Math.abs(wrong - expected) / Math.sqrt(expected)).toBeLessThan(4);
    expect(wrong / asked).toBeLessThanOrEqual(errorRate);
    expect(filter.bitsPerKey).toBeLessThan(1.05 * classicSizeFor(keys, errorRate).bitsPerKey);
    expect(Math.abs(filter.count / keys - 1)).toBeLessThan(0.002);
  });

  // Small filters are where double hashing shows: the textbook's size would give 1.4 times the rate here.
  it.each([
    { capacity: 10, errorRate: 0.01, filters: 400 },
    { capacity: 30, errorRate: 0.001, filters: 400 },
    { capacity: 100, errorRate: 0.0001, filters: 300 },
  ])("of $capacity keys keeps $errorRate over $filters filters", ({ capacity, errorRate, filters }) => {
    const next = numbers(7);
    let wrong = 0;
    const asked = 20_000;
    for (let i = 0; i < filters; i++) {
      const filter = new type({ capacity, errorRate, seed: next() });
      filter.addMany(range(0, capacity));
      wrong += falsePositives(filter, asked);
      filter.dispose();
    }
    const total = filters * asked;
    const allowed = errorRate * total;
    expect(wrong).toBeGreaterThan(0.5 * allowed);
    // Filters differ among themselves, so the spread is wider than that of counting alone: five of its sigmas.
    expect(wrong).toBeLessThan(allowed + 5 * Math.sqrt(allowed));
  });
});
