// A cuckoo filter of buckets of four (Fan et al., 2014). A stranger is compared with the up to eight fingerprints of its
// two buckets, each of which is its own with probability 1 / (2^f - 1):
//
//     rate = 1 - (1 - 1 / (2^f - 1))^(8 · load)
//
// Up to a load of 95 % the search for room succeeds, so a key takes f / 0.95 bits.

import { LINE, MAX_LINES } from "../engine/layout.js";
import { mustBe } from "../errors.js";
import { checkCapacity, checkErrorRate } from "./blocked.js";

export const BUCKET = 4;
export const FINGERPRINT_BITS: readonly number[] = [8, 12, 16, 32];
export type FingerprintBits = 8 | 12 | 16 | 32;
const LOAD = 0.95;

/** In a small filter chance weighs more: so many buckets more. Of 150,000 filters of 1 to 5000 keys, 2 were full too soon. */
const SPARE = 3;

export interface CuckooSize {
  readonly buckets: number;
  readonly fingerprintBits: number;
  readonly lines: number;
  readonly errorRate: number;
}

export function cuckooRate(load: number, fingerprintBits: number): number {
  return -Math.expm1(2 * BUCKET * load * Math.log1p(-1 / (2 ** fingerprintBits - 1)));
}

/** Lines for so many buckets, packed without gaps. */
export function cuckooLines(buckets: number, fingerprintBits: number): number {
  return Math.ceil((buckets * BUCKET * fingerprintBits) / (LINE * 8));
}

export function cuckooSize(capacity: number, fingerprintBits: number): CuckooSize {
  checkCapacity(capacity);
  if (!FINGERPRINT_BITS.includes(fingerprintBits)) throw mustBe("fingerprintBits", fingerprintBits, "8, 12, 16 or 32");
  const buckets = Math.ceil(capacity / LOAD / BUCKET) + SPARE;
  const lines = cuckooLines(buckets, fingerprintBits);
  if (lines > MAX_LINES) {
    const most = Math.floor(((MAX_LINES * LINE * 8) / fingerprintBits) * LOAD);
    throw new RangeError(
      `capacity is ${capacity}; with fingerprints of ${fingerprintBits} bits, just under 4 GiB hold ${most}. Lower it, raise errorRate, or use several filters.`,
    );
  }
  return { buckets, fingerprintBits, lines, errorRate: cuckooRate(capacity / (buckets * BUCKET), fingerprintBits) };
}

/** The shortest fingerprints that keep the rate. */
export function cuckooSizeFor(capacity: number, errorRate: number): CuckooSize {
  checkCapacity(capacity);
  checkErrorRate(errorRate);
  const bits = FINGERPRINT_BITS.find((bits) => cuckooRate(LOAD, bits) <= errorRate);
  if (bits) return cuckooSize(capacity, bits);
  throw mustBe("errorRate", errorRate, `a number from ${cuckooRate(LOAD, 32).toExponential(1)} to 0.5`);
}
