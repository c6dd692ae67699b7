// Every kind of filter, sized by the library's own rules. A new kind is one entry here; test/site/kinds.test.ts holds it
// against a real filter.

import { errorRateAt, sizeFor } from "bloomline";
import { HEAD, LINE } from "../../../src/engine/layout.js";
import { rateAtMean } from "../../../src/sizing/blocked.js";
import { bestClassicHashes, bitsFor, doubleHashingRate } from "../../../src/sizing/classic.js";
import { countingSizeFor } from "../../../src/sizing/counting.js";
import { cuckooSizeFor } from "../../../src/sizing/cuckoo.js";
import { fuseSizeFor } from "../../../src/sizing/fuse.js";
import { golombLimit, golombSizeFor } from "../../../src/sizing/golomb.js";
import { partitionedRate, partitionedSizeFor } from "../../../src/sizing/partitioned.js";
import { quotientSizeFor } from "../../../src/sizing/quotient.js";
import { layerSize, layersCapacity } from "../../../src/sizing/scalable.js";
import { stableErrorRate, stableSizeFor } from "../../../src/sizing/stable.js";
import { nextTurn } from "../slices.js";

export interface Sized {
  readonly byteLength: number;
  /** Positions per key, where there are such. */
  readonly hashes?: number;
  /** The rate at capacity. */
  readonly errorRate: number;
  /** The rate with so many keys in it, where it rises with them beyond the capacity. */
  rateAt?(keys: number): number;
}

export interface Kind {
  readonly name: string;
  readonly about: string;
  /** Throws a RangeError where the kind has no such size. */
  size(keys: number, errorRate: number): Sized | Promise<Sized>;
}

const bitsToBytes = (bits: number) => HEAD + LINE * Math.ceil(bits / (LINE * 8));

/** A filter whose rate rises as it fills. */
function rising(keys: number, bits: number, hashes: number, rateAt: (keys: number) => number): Sized {
  return { byteLength: bitsToBytes(bits), hashes, errorRate: rateAt(keys), rateAt };
}

export const kinds: readonly Kind[] = [
  {
    name: "BloomFilter",
    about: "one cache line a lookup; the one to take by default",
    size(keys, errorRate) {
      const { lines, hashes } = sizeFor(keys, errorRate);
      return rising(keys, lines * 512, hashes, (n) => errorRateAt(n, lines, hashes));
    },
  },
  {
    name: "ClassicBloomFilter",
    about: "the textbook’s: up to k cache lines a lookup",
    size(keys, errorRate) {
      const bits = bitsFor(keys, errorRate);
      const hashes = bestClassicHashes(keys, bits);
      return rising(keys, bits, hashes, (n) => doubleHashingRate(n, bits, hashes));
    },
  },
  {
    name: "PartitionedBloomFilter",
    about: "a slice for each position; its rate is exact",
    size(keys, errorRate) {
      const { sliceBits, hashes } = partitionedSizeFor(keys, errorRate);
      return rising(keys, sliceBits * hashes, hashes, (n) => partitionedRate(n, sliceBits, hashes));
    },
  },
  {
    name: "CountingBloomFilter",
    about: "deletes; counters of 4 bits",
    size(keys, errorRate) {
      const { lines, hashes } = countingSizeFor(keys, errorRate, 128);
      return rising(keys, lines * 512, hashes, (n) => rateAtMean(n / lines, hashes, 128));
    },
  },
  {
    name: "CompactBloomFilter",
    about: "a counting filter whose counters became bits",
    size(keys, errorRate) {
      const { lines: blocks, hashes } = countingSizeFor(keys, errorRate, 128);
      return rising(keys, blocks * 128, hashes, (n) => rateAtMean(n / blocks, hashes, 128));
    },
  },
  {
    name: "CuckooFilter",
    about: "deletes; fingerprints of 8, 12, 16 or 32 bits",
    size(keys, errorRate) {
      const size = cuckooSizeFor(keys, errorRate);
      return { byteLength: bitsToBytes(size.lines * 512), errorRate: size.errorRate };
    },
  },
  {
    name: "QuotientFilter",
    about: "deletes, grows and merges",
    size(keys, errorRate) {
      const size = quotientSizeFor(keys, errorRate);
      return { byteLength: bitsToBytes(size.lines * 512), errorRate: size.errorRate };
    },
  },
  {
    name: "FuseFilter",
    about: "built once, then only read; fingerprints of 8, 16 or 32 bits",
    size(keys, errorRate) {
      const bits = [8, 16].find((bits) => 2 ** -bits <= errorRate) ?? 32;
      return { byteLength: bitsToBytes(fuseSizeFor(keys, 3).slots * bits), hashes: 3, errorRate: 2 ** -bits };
    },
  },
  {
    name: "GolombSet",
    about: "built once, then only read; small, and slower to ask",
    size(keys, errorRate) {
      const limit = golombLimit(keys, errorRate);
      // Keys that fall on the same value are kept once.
      const values = -limit * Math.expm1(-keys / limit);
      const { buckets, bitsPerValue } = golombSizeFor(values, limit);
      return { byteLength: bitsToBytes(32 * buckets + bitsPerValue * values), errorRate };
    },
  },
  {
    name: "ScalableBloomFilter",
    about: "grows, layer by layer, from 1,024 keys",
    async size(keys, errorRate) {
      const layers = { capacity: 1024, errorRate, growth: 2, tightening: 0.85 };
      let byteLength = 0;
      let rate = 0;
      for (let i = 0; layersCapacity(layers, i) < keys; i++) {
        const layer = layerSize(layers, i);
        byteLength += sizeFor(layer.capacity, layer.errorRate).byteLength;
        rate += layer.errorRate;
        // Up to twenty layers, a rate each, and every rate takes milliseconds.
        await nextTurn();
      }
      return { byteLength, errorRate: rate };
    },
  },
  {
    name: "AgingBloomFilter",
    about: "forgets by generations: room for two of so many keys",
    size(keys, errorRate) {
      const { byteLength, hashes } = sizeFor(keys, errorRate / 2);
      return { byteLength: 2 * byteLength, hashes, errorRate };
    },
  },
  {
    name: "StableBloomFilter",
    about: "forgets key by key: 1 % of those that are so many adds old",
    size(keys, errorRate) {
      const size = stableSizeFor(keys, errorRate, 0.01);
      const byteLength = bitsToBytes(size.cells * size.cellBits);
      return { byteLength, hashes: size.hashes, errorRate: stableErrorRate(size) };
    },
  },
  {
    name: "The least possible",
    about: "no filter that takes any keys can be smaller: log₂(1 / rate) bits a key",
    size(keys, errorRate) {
      return { byteLength: Math.ceil((-keys * Math.log2(errorRate)) / 8), errorRate };
    },
  },
];
