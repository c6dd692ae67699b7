// The partitioned Bloom filter: k slices of s bits. A slice has had exactly one bit of each key, and slices are
// independent, so that (1 − (1 − 1/s)^n)^k is the rate itself and not an estimate.

import { AIM, checkCapacity, checkErrorRate, MAX_HASHES } from "./blocked.js";
import { MAX_BITS, tooLarge } from "./classic.js";

export interface PartitionedSize {
  /** Bits of a slice. */
  readonly sliceBits: number;
  readonly hashes: number;
}

export function partitionedRate(keys: number, sliceBits: number, hashes: number): number {
  return (-Math.expm1(keys * Math.log1p(-1 / sliceBits))) ** hashes;
}

/** The least s with (1 − (1 − 1/s)^n)^k at most the rate. */
function sliceBitsFor(capacity: number, rate: number, hashes: number): number {
  const zero = 1 - rate ** (1 / hashes);
  return Math.max(2, Math.ceil(-1 / Math.expm1(Math.log(zero) / capacity)));
}

/** The smallest filter that holds `capacity` keys at `errorRate`. */
export function partitionedSizeFor(capacity: number, errorRate: number): PartitionedSize {
  checkCapacity(capacity);
  checkErrorRate(errorRate);
  const rate = errorRate * AIM;
  const guess = Math.round(-Math.log2(rate));
  const sizes = [guess - 1, guess, guess + 1]
    .filter((hashes) => hashes >= 1 && hashes <= MAX_HASHES)
    .map((hashes) => ({ hashes, sliceBits: sliceBitsFor(capacity, rate, hashes) }));
  const size = sizes.reduce((a, b) => (a.hashes * a.sliceBits <= b.hashes * b.sliceBits ? a : b));
  const bits = size.hashes * size.sliceBits;
  if (bits > MAX_BITS || size.sliceBits >= 2 ** 32) throw tooLarge(capacity, bits);
  return size;
}

/** How many distinct keys set so many bits. Infinity where every bit is set. */
export function partitionedKeysFromOnes(ones: number, sliceBits: number, hashes: number): number {
  return Math.log1p(-ones / (sliceBits * hashes)) / Math.log1p(-1 / sliceBits);
}
