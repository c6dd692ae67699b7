import { BloomierMap, FuseFilter, GolombSet, type Key, type Keys } from "bloomline";
import { describe } from "vitest";
import { conformsFrozen } from "./frozen-suite.js";

describe.each([
  { bits: 8, hashes: 3 },
  { bits: 16, hashes: 4 },
  { bits: 32, hashes: 3 },
] as const)("FuseFilter of $bits bits, $hashes slots", (shape) => {
  conformsFrozen({ type: FuseFilter, from: (keys, options) => FuseFilter.from(keys, { ...shape, ...options }) });
});

describe.each([{ errorRate: 0.1 }, { errorRate: 1 / 512 }, { errorRate: 1e-9 }])("GolombSet at $errorRate", (shape) => {
  conformsFrozen({
    type: GolombSet,
    from: (keys, options) => GolombSet.from(keys, { ...shape, ...options }),
    mayMerge: shape.errorRate > 1e-6,
  });
});

/** Keys in any form, as a list. */
function listOf(keys: Keys): Key[] {
  if (Symbol.iterator in keys) return [...(keys as Iterable<Key>)];
  const { bytes, offsets } = keys;
  return Array.from({ length: offsets.length - 1 }, (_, i) => bytes.subarray(offsets[i], offsets[i + 1]));
}

describe.each([
  { valueBits: 1, errorRate: 0.5, hashes: 3 },
  { valueBits: 13, errorRate: 0.01, hashes: 4 },
  { valueBits: 32, errorRate: 1e-9, hashes: 3 },
] as const)("BloomierMap of $valueBits bits at $errorRate", (shape) => {
  // One value for all: the suite gives the same keys in many orders.
  const value = 2 ** shape.valueBits - 1;
  const entries = (keys: Keys) => listOf(keys).map((key): [Key, number] => [key, value]);
  conformsFrozen({
    type: BloomierMap,
    from: (keys, options) => BloomierMap.from(entries(keys), { ...shape, ...options }),
  });
});
