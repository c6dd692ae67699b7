// Every kind of filter, sized by the library itself. A new kind is one entry here.

import { classicErrorRateAt, classicSizeFor, errorRateAt, sizeFor } from "bloomline";

export interface Sized {
  readonly byteLength: number;
  /** Positions per key, where there are such. */
  readonly hashes?: number;
  /** The rate at capacity. */
  readonly errorRate: number;
  /** The rate with so many keys in it, where more than its capacity can be. */
  rateAt?(keys: number): number;
}

export interface Kind {
  readonly name: string;
  readonly about: string;
  /** Throws a RangeError where the kind has no such size. */
  size(keys: number, errorRate: number): Sized;
}

export const kinds: readonly Kind[] = [
  {
    name: "BloomFilter",
    about: "one cache line a lookup; shared, merged, asked in batches",
    size(keys, errorRate) {
      const size = sizeFor(keys, errorRate);
      return { ...size, rateAt: (n) => errorRateAt(n, size.lines, size.hashes) };
    },
  },
  {
    name: "Classic Bloom filter",
    about: "the textbook's: k cache lines a lookup",
    size(keys, errorRate) {
      const { bits, hashes } = classicSizeFor(keys, errorRate);
      const rateAt = (n: number) => classicErrorRateAt(n, bits, hashes);
      return { byteLength: Math.ceil(bits / 8), hashes, errorRate: rateAt(keys), rateAt };
    },
  },
  {
    name: "The least possible",
    about: "no filter can be smaller: log₂(1 / rate) bits a key",
    size(keys, errorRate) {
      return { byteLength: Math.ceil((-keys * Math.log2(errorRate)) / 8), errorRate };
    },
  },
];
