// What the page says of a filter's size, against a filter of that size.

import {
  AgingBloomFilter,
  BloomFilter,
  ClassicBloomFilter,
  CompactBloomFilter,
  CountingBloomFilter,
  CuckooFilter,
  FuseFilter,
  GolombSet,
  PartitionedBloomFilter,
  QuotientFilter,
  ScalableBloomFilter,
  StableBloomFilter,
} from "bloomline";
import { describe, expect, test } from "vitest";
import { kinds } from "../../site/src/choose/kinds.js";
import { range } from "../support/random.js";

const KEYS = 50_000;

interface Real {
  readonly byteLength: number;
  readonly hashes?: number;
}

const real: Record<string, (errorRate: number) => Real> = {
  BloomFilter: (errorRate) => new BloomFilter({ capacity: KEYS, errorRate }),
  ClassicBloomFilter: (errorRate) => new ClassicBloomFilter({ capacity: KEYS, errorRate }),
  PartitionedBloomFilter: (errorRate) => new PartitionedBloomFilter({ capacity: KEYS, errorRate }),
  CountingBloomFilter: (errorRate) => new CountingBloomFilter({ capacity: KEYS, errorRate }),
  CompactBloomFilter: (errorRate) => new CompactBloomFilter({ capacity: KEYS, errorRate }),
  CuckooFilter: (errorRate) => new CuckooFilter({ capacity: KEYS, errorRate }),
  QuotientFilter: (errorRate) => new QuotientFilter({ capacity: KEYS, errorRate }),
  FuseFilter: (errorRate) => FuseFilter.from(range(0, KEYS), { bits: errorRate > 2 ** -8 ? 8 : 16 }),
  GolombSet: (errorRate) => GolombSet.from(range(0, KEYS), { errorRate }),
  AgingBloomFilter: (errorRate) => new AgingBloomFilter({ capacity: KEYS, errorRate }),
  StableBloomFilter: (errorRate) => new StableBloomFilter({ capacity: KEYS, errorRate }),
  ScalableBloomFilter(errorRate) {
    const filter = new ScalableBloomFilter({ errorRate });
    filter.addMany(range(0, KEYS));
    return filter;
  },
};

test("every filter on the page is a real one, but for the least possible", () => {
  expect(kinds.map(({ name }) => name).filter((name) => !(name in real))).toEqual(["The least possible"]);
});

describe.each(kinds.filter(({ name }) => name in real))("$name", ({ name, size }) => {
  test.each([0.01, 1e-4])("at an error rate of %d takes what the page says", async (errorRate) => {
    const said = await size(KEYS, errorRate);
    const filter = real[name]!(errorRate);
    // A Golomb set depends on its keys, and composites have a head for each part.
    expect(Math.abs(said.byteLength / filter.byteLength - 1)).toBeLessThan(0.005);
    if (said.hashes !== undefined && filter.hashes !== undefined) expect(said.hashes).toBe(filter.hashes);
    expect(said.errorRate).toBeLessThanOrEqual(errorRate * 1.0001);
  });
});
