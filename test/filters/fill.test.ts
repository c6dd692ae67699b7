import { BloomFilter, ClassicBloomFilter, CountingBloomFilter, PartitionedBloomFilter } from "bloomline";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LocalRegion } from "../../src/engine/region.js";
import { engines } from "../support/engines.js";

/** Counted here, bit by bit, from what a file would hold. */
function onesOf(filter: { toBytes(): Uint8Array }): number {
  let ones = 0;
  for (const byte of filter.toBytes().subarray(64)) for (let rest = byte; rest; rest &= rest - 1) ones++;
  return ones;
}

const kinds = [
  { kind: "BloomFilter", make: (options: object) => new BloomFilter({ capacity: 300, ...options }) },
  {
    kind: "BloomFilter of nine hashes",
    make: (options: object) => new BloomFilter({ capacity: 300, errorRate: 1e-3, ...options }),
  },
  { kind: "ClassicBloomFilter", make: (options: object) => new ClassicBloomFilter({ capacity: 300, ...options }) },
  {
    kind: "CompactBloomFilter",
    make: (options: object) => new CountingBloomFilter({ capacity: 300, ...options }).toBloomFilter(options),
  },
  {
    kind: "PartitionedBloomFilter",
    make: (options: object) => new PartitionedBloomFilter({ capacity: 300, ...options }),
  },
];

const key = fc.integer({ min: 0, max: 400 });
const step = fc.oneof(
  fc.record({ what: fc.constant("add" as const), keys: fc.array(key, { minLength: 1, maxLength: 1 }) }),
  fc.record({ what: fc.constantFrom("addMany" as const, "merge" as const, "intersect" as const), keys: fc.array(key) }),
  fc.record({ what: fc.constantFrom("clear" as const, "clone" as const, "fromBytes" as const), keys: fc.constant([]) }),
);

describe.each(kinds)("what a $kind says of its fill", ({ make }) => {
  it.each(engines)("is what is there, whatever was done to it, on $name", ({ options }) => {
    fc.assert(
      fc.property(fc.array(fc.tuple(step, fc.boolean()), { maxLength: 12 }), (steps) => {
        let filter = make(options) as BloomFilter;
        // The share of bits that a first key sets tells how many bits there are, of kinds that do not use all of their bytes.
        filter.add("first");
        const bits = onesOf(filter) / filter.fillRatio;
        for (const [{ what, keys }, look] of steps) {
          if (what === "add") filter.add(keys[0]!);
          else if (what === "addMany") filter.addMany(keys);
          else if (what === "clear") filter.clear();
          else if (what === "clone") filter = filter.clone();
          else if (what === "fromBytes")
            filter = (filter.constructor as typeof BloomFilter).fromBytes(filter.toBytes(), options);
          else {
            const other = make(options) as BloomFilter;
            other.addMany(keys);
            filter[what](other);
            other.dispose();
          }
          // A look counts; often several changes go unseen.
          if (!look) continue;
          const ones = onesOf(filter);
          expect(filter.fillRatio * bits).toBeCloseTo(ones, 5);
          // And once more, from what it remembers.
          expect(filter.fillRatio * bits).toBeCloseTo(ones, 5);
          if (ones === 0) expect(filter.count).toBe(0);
        }
        filter.dispose();
      }),
      { numRuns: 60 },
    );
  });
});

it("bits are counted when someone asks, once for each change, and never more than 256 MiB at a time", () => {
  const counted: [number, number][] = [];
  const buffer = new ArrayBuffer(64);
  const kernel = {
    popcount(at: number, length: number) {
      counted.push([at, length]);
      return length === 2 ** 28 ? -(2 ** 31) : 5;
    },
  };
  const region = new LocalRegion({ buffer, kernel } as never, 0, 64 + 2 ** 28 + 128);
  region.tally = 3;
  expect(region.tally).toBe(3);
  expect(counted).toEqual([]);
  // As the kernel does it.
  new Int32Array(buffer)[11] = -1;
  // All bits of 256 MiB are as many as an i32 takes for negative.
  expect([region.tally, region.tally]).toEqual([2 ** 31 + 5, 2 ** 31 + 5]);
  expect(counted).toEqual([
    [64, 2 ** 28],
    [64 + 2 ** 28, 128],
  ]);
});
