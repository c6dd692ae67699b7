import { ClassicBloomFilter, type Key, PartitionedBloomFilter, StableBloomFilter } from "bloomline";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { engines } from "../support/engines.js";
import { anyKey } from "../support/keys.js";
import { bytesOf, type Hash, murmur3 } from "../support/model.js";
import { classicPositions, partitionedPositions, StableModel } from "../support/scattered.js";

const extremes: Hash[] = [0n, 1n, 2n ** 36n - 1n, 2n ** 63n, 2n ** 64n - 1n].flatMap((h1) =>
  [0n, 1n, 2n ** 63n, 2n ** 64n - 2n, 2n ** 64n - 1n].map((h2) => ({ h1, h2 })),
);

/** The filter's bits, bit by bit. */
function onesOf(filter: { toBytes(): Uint8Array }): number[] {
  const ones: number[] = [];
  filter
    .toBytes()
    .subarray(64)
    .forEach((byte, at) => {
      for (let bit = 0; bit < 8; bit++) if ((byte >> bit) & 1) ones.push(at * 8 + bit);
    });
  return ones;
}

function sorted(positions: Iterable<number>): number[] {
  return [...new Set(positions)].sort((a, b) => a - b);
}

describe.each(engines)("every bit, predicted by the model, on $name", ({ options }) => {
  it.each([2, 3, 63, 64, 65, 511, 512, 513, 9973, 65_536, 1_000_003])("of a classic filter of %i bits", (bits) => {
    for (const hashes of [1, 2, 3, 4, 7, 32]) {
      const filter = new ClassicBloomFilter({ bits, hashes, seed: 5, ...options });
      expect(filter).toMatchObject({ bits, hashes, lines: Math.ceil(bits / 512) });
      const expected: number[] = [];
      for (const hash of extremes) {
        const positions = classicPositions(hash, bits, hashes);
        expect(Math.max(...positions)).toBeLessThan(bits);
        expect(filter.addHash({ seed: 5n, ...hash })).toBe(positions.some((p) => !expected.includes(p)));
        expected.push(...positions);
        expect(filter.hasHash({ seed: 5n, ...hash })).toBe(true);
      }
      expect(onesOf(filter)).toEqual(sorted(expected));
    }
  });

  it.each([1, 2, 3, 50, 1000, 20_011])("of a partitioned filter for %i keys", (capacity) => {
    for (const errorRate of [0.5, 0.1, 0.01, 1e-6, 1e-9]) {
      const filter = new PartitionedBloomFilter({ capacity, errorRate, seed: 5, ...options });
      const { sliceBits, hashes } = filter;
      const expected: number[] = [];
      for (const hash of extremes) {
        const positions = partitionedPositions(hash, sliceBits, hashes);
        positions.forEach((position, i) => {
          expect(Math.floor(position / sliceBits)).toBe(i);
        });
        filter.addHash({ seed: 5n, ...hash });
        expected.push(...positions);
      }
      expect(onesOf(filter)).toEqual(sorted(expected));
    }
  });

  it("for any keys, one by one and in a batch", () => {
    fc.assert(
      fc.property(fc.array(anyKey, { maxLength: 20 }), fc.bigInt(0n, 2n ** 64n - 1n), (keys: Key[], seed) => {
        const hashes = keys.map((key) => murmur3(bytesOf(key), seed));
        const classic = new ClassicBloomFilter({ capacity: 30, errorRate: 0.001, seed, ...options });
        classic.addMany(keys);
        expect(onesOf(classic)).toEqual(
          sorted(hashes.flatMap((hash) => classicPositions(hash, classic.bits, classic.hashes))),
        );
        const partitioned = new PartitionedBloomFilter({ capacity: 30, errorRate: 0.001, seed, ...options });
        for (const key of keys) partitioned.add(key);
        expect(onesOf(partitioned)).toEqual(
          sorted(hashes.flatMap((hash) => partitionedPositions(hash, partitioned.sliceBits, partitioned.hashes))),
        );
      }),
      { numRuns: 60 },
    );
  });

  it.each([1, 2, 4, 8] as const)("of a stable filter with cells of %i bits", (cellBits) => {
    const filter = new StableBloomFilter({
      capacity: 50,
      errorRate: 0.05,
      forgetRate: 0.1,
      cellBits,
      seed: 9,
      ...options,
    });
    const model = new StableModel(filter);
    const seen: boolean[] = [];
    for (let i = 0; i < 600; i++) {
      const key = `key ${(i * i) % 211}`;
      const hash = murmur3(bytesOf(key), 9n);
      expect(filter.has(key)).toBe(model.has(hash));
      const isNew = model.add(hash);
      seen.push(isNew);
      // Every third add goes in as a batch of one: the batch's way through the kernel is another.
      expect(i % 3 ? filter.add(key) : filter.addMany([key]) === 1).toBe(isNew);
    }
    expect(new Set(seen).size).toBe(2);
    const bytes = filter.toBytes().subarray(64);
    const perByte = 8 / cellBits;
    model.cells.forEach((cell, i) => {
      const got = (bytes[Math.floor(i / perByte)]! >> ((i % perByte) * cellBits)) & (2 ** cellBits - 1);
      expect(got).toBe(cell);
    });
    expect(filter.fillRatio).toBeCloseTo(model.cells.filter((cell) => cell > 0).length / filter.cells, 12);
  });
});

// Beyond 2^32 bits the high half of a position matters; the pages that nobody touches cost nothing.
it("a classic filter of more than 2^32 bits", () => {
  const bits = 2 ** 32 * 3 + 12_345;
  const filter = new ClassicBloomFilter({ bits, hashes: 5, capacity: 1e9, engine: "wasm" });
  for (const hash of extremes) filter.addHash({ seed: 0n, ...hash });
  const expected = sorted(extremes.flatMap((hash) => classicPositions(hash, bits, 5)));
  expect(Math.max(...expected)).toBeGreaterThan(2 ** 33);
  expect(Math.round(filter.fillRatio * bits)).toBe(expected.length);
  expect(extremes.every((hash) => filter.hasHash({ seed: 0n, ...hash }))).toBe(true);
  const stranger = murmur3(bytesOf("stranger"));
  expect(filter.hasHash({ seed: 0n, ...stranger })).toBe(false);
  filter.dispose();
});
