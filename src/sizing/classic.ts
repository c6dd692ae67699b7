// The textbook Bloom filter: m bits anywhere, k positions. Exported for comparison, and for filters that use it.

import { checkCapacity, checkErrorRate } from "./blocked.js";

export interface ClassicSize {
  readonly bits: number;
  readonly hashes: number;
  readonly bitsPerKey: number;
}

/** m = −n·ln p / (ln 2)², k = round(m/n · ln 2), at least 1. */
export function classicSizeFor(capacity: number, errorRate: number): ClassicSize {
  checkCapacity(capacity);
  checkErrorRate(errorRate);
  const bits = Math.ceil((-capacity * Math.log(errorRate)) / Math.LN2 ** 2);
  return { bits, hashes: Math.max(1, Math.round((bits / capacity) * Math.LN2)), bitsPerKey: bits / capacity };
}

/** (1 − e^(−kn/m))^k */
export function classicErrorRateAt(keys: number, bits: number, hashes: number): number {
  return (-Math.expm1((-hashes * keys) / bits)) ** hashes;
}
