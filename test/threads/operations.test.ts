// A shared filter does all that a local one does, with the same results.
import { describe, expect, test } from "vitest";
import { BloomFilter } from "../../dist/index.js";

const options = { capacity: 20_000, errorRate: 0.001, seed: 7 };
const a = Array.from({ length: 10_000 }, (_, i) => `key ${i}`);
const b = Array.from({ length: 10_000 }, (_, i) => `key ${i + 5000}`);
const of = (keys: readonly string[], shared: boolean) => BloomFilter.from(keys, { ...options, shared });

function expectSame(filter: BloomFilter, expected: BloomFilter): void {
  expect(filter.equals(expected)).toBe(true);
  expect(expected.equals(filter)).toBe(true);
  expect(filter.count).toBe(expected.count);
  expect(filter.fillRatio).toBe(expected.fillRatio);
  expect(filter.currentErrorRate).toBe(expected.currentErrorRate);
  expect(filter.toBytes()).toEqual(expected.toBytes());
}

describe.each([
  { into: true, from: true },
  { into: true, from: false },
  { into: false, from: true },
])("into shared: $into, from shared: $from", ({ into, from }) => {
  test("merge", () => {
    expectSame(of(a, into).merge(of(b, from)), of(a, false).merge(of(b, false)));
  });

  test("intersect", () => {
    expectSame(of(a, into).intersect(of(b, from)), of(a, false).intersect(of(b, false)));
  });
});

test("merging and intersecting with itself changes nothing", () => {
  const filter = of(a, true);
  expectSame(filter.merge(filter).intersect(filter), of(a, false));
});

test("clone is shared too, and on its own", () => {
  const filter = of(a, true);
  const clone = filter.clone();
  expectSame(clone, filter);
  expect(clone.shared).toBe(true);
  clone.add("another");
  expect(filter.has("another")).toBe(false);
  expect(BloomFilter.attach(clone.share()).has("another")).toBe(true);
});

test("clear forgets, for every thread, and counts anew", () => {
  const filter = of(a, true);
  const attached = BloomFilter.attach(filter.share());
  attached.addMany(b);
  filter.clear();
  for (const each of [filter, attached]) expectSame(each, new BloomFilter(options));
  attached.addMany(a);
  expectSame(filter, of(a, false));
});

test("count adds up over more threads than there are counters", () => {
  const filter = new BloomFilter({ ...options, shared: true });
  for (let i = 0; i < 50; i++) BloomFilter.attach(filter.share()).addMany(a.slice(i * 200, (i + 1) * 200));
  expectSame(filter, of(a, false));
});

test("bytes go into shared memory and out of it", () => {
  expectSame(BloomFilter.fromBytes(of(a, false).toBytes(), { shared: true }), of(a, false));
  expectSame(BloomFilter.fromBytes(of(a, true).toBytes()), of(a, false));
});

test("filters of different sizes are told apart", () => {
  const small = new BloomFilter({ capacity: 10, shared: true });
  expect(of(a, true).equals(small)).toBe(false);
  expect(() => of(a, true).merge(small)).toThrow(expect.objectContaining({ code: "ERR_INCOMPATIBLE" }));
});
