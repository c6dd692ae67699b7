// The textbook Bloom filter: m bits, k positions anywhere among them.

import { MAX_LINES } from "../engine/layout.js";
import { mustBe } from "../errors.js";
import { AIM, checkCapacity, checkErrorRate, MAX_HASHES } from "./blocked.js";

export interface ClassicSize {
  readonly bits: number;
  readonly hashes: number;
  readonly bitsPerKey: number;
}

/** The most bits that just under 4 GiB hold. */
export const MAX_BITS = MAX_LINES * 512;

/** m = −n·ln p / (ln 2)², k = round(m/n · ln 2), at least 1. */
export function classicSizeFor(capacity: number, errorRate: number): ClassicSize {
  checkCapacity(capacity);
  checkErrorRate(errorRate);
  return textbookSize(capacity, errorRate);
}

/** The same for a rate that is aimed at, which may be below any that can be asked for. */
export function textbookSize(capacity: number, errorRate: number): ClassicSize {
  const bits = Math.ceil((-capacity * Math.log(errorRate)) / Math.LN2 ** 2);
  return { bits, hashes: Math.max(1, Math.round((bits / capacity) * Math.LN2)), bitsPerKey: bits / capacity };
}

/** (1 − e^(−kn/m))^k */
export function classicErrorRateAt(keys: number, bits: number, hashes: number): number {
  return (-Math.expm1((-hashes * keys) / bits)) ** hashes;
}

/**
 * Two keys whose beginnings and steps are alike share most of their bits, which independent positions never would: it
 * adds this much times n/m² to the rate. Simulated for 10 to 100 keys: 1.6 to 2.4; with steps of whole bits, 3 to 19.
 */
const ALIKE = 2.5;

/**
 * The rate of double hashing. The textbook's formula takes the share of set bits for certain; here it has a variance, as
 * in a line of a cache-line filter. Both corrections vanish in a large filter: at 1 % they are 0.4 % with 1,000 keys, 0.04 % with 10,000.
 */
export function doubleHashingRate(keys: number, bits: number, hashes: number): number {
  if (keys === 0) return 0;
  const throws = hashes * keys;
  const zero = (1 - 1 / bits) ** throws;
  const filled = 1 - zero;
  const variance = Math.max(0, zero / bits + (1 - 1 / bits) * (1 - 2 / bits) ** throws - zero * zero);
  const spread = 1 + ((hashes * (hashes - 1)) / 2) * (variance / (filled * filled));
  return Math.min(1, filled ** hashes * spread + (ALIKE * keys) / (bits * bits));
}

/** k = round(m/n · ln 2), as far as a filter can go. */
export function bestClassicHashes(capacity: number, bits: number): number {
  return Math.min(MAX_HASHES, Math.max(1, Math.round((bits / capacity) * Math.LN2)));
}

/** The fewest bits with which double hashing keeps the rate, aimed at as in a cache-line filter. */
export function bitsFor(capacity: number, errorRate: number): number {
  const suffices = (bits: number) =>
    doubleHashingRate(capacity, bits, bestClassicHashes(capacity, bits)) <= errorRate * AIM;
  let high = classicSizeFor(capacity, errorRate).bits;
  // Far beyond, numbers are too coarse for the search to end.
  if (high > MAX_BITS) throw tooLarge(capacity, high);
  let low = high - 1;
  for (; !suffices(high); high *= 2) low = high;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (suffices(middle)) high = middle;
    else low = middle;
  }
  if (high > MAX_BITS) throw tooLarge(capacity, high);
  return high;
}

export function tooLarge(capacity: number, bits: number): RangeError {
  const perKey = bits / capacity;
  return new RangeError(
    `capacity is ${capacity}; at ${perKey.toFixed(2)} bits a key, just under 4 GiB hold ${Math.floor(MAX_BITS / perKey)}. Lower it, raise errorRate, or use several filters.`,
  );
}

export function checkBits(bits: unknown): asserts bits is number {
  if (!Number.isInteger(bits) || (bits as number) < 2 || (bits as number) > MAX_BITS) {
    throw mustBe("bits", bits, `a whole number from 2 to ${MAX_BITS}`);
  }
}

/** How many distinct keys set so many bits: the inverse of the expected number. Infinity where every bit is set. */
export function classicKeysFromOnes(ones: number, bits: number, hashes: number): number {
  return Math.log1p(-ones / bits) / (hashes * Math.log1p(-1 / bits));
}
