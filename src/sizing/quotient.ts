// A quotient filter (Bender et al., 2012). A stranger's quotient has a Poisson number of keys, whose mean is the load; each
// has the stranger's remainder with probability 2^-r:
//
//     rate = 1 - e^(-load / 2^r)
//
// A slot is r + 3 bits. Runs grow long as slots become rare: at a load of 85 % a search looks at some 20 of them, at 95 %
// at 200.

import { LINE, MAX_LINES } from "../engine/layout.js";
import { mustBe } from "../errors.js";
import { checkCapacity, checkErrorRate } from "./blocked.js";

export const STATE_BITS = 3;
export const MAX_REMAINDER_BITS = 32;
const LOAD = 0.85;
const MAX_SLOTS = 2 ** 32 - 1;

/** A slot is read as the 8 bytes from where it begins, also the last one. */
const OVERHANG = 7;

export interface QuotientSize {
  readonly slots: number;
  readonly remainderBits: number;
  readonly lines: number;
  readonly errorRate: number;
}

export function quotientRate(load: number, remainderBits: number): number {
  return -Math.expm1(-load / 2 ** remainderBits);
}

export function quotientLines(slots: number, remainderBits: number): number {
  return Math.ceil((Math.ceil((slots * (remainderBits + STATE_BITS)) / 8) + OVERHANG) / LINE);
}

/** Whether a filter can have so many slots. */
export function quotientFits(slots: number, remainderBits: number): boolean {
  return slots <= MAX_SLOTS && quotientLines(slots, remainderBits) <= MAX_LINES;
}

export function quotientSize(capacity: number, remainderBits: number): QuotientSize {
  checkCapacity(capacity);
  if (!Number.isInteger(remainderBits) || remainderBits < 1 || remainderBits > MAX_REMAINDER_BITS) {
    throw mustBe("remainderBits", remainderBits, `a whole number from 1 to ${MAX_REMAINDER_BITS}`);
  }
  // One slot stays empty.
  const slots = Math.max(Math.ceil(capacity / LOAD), capacity + 1);
  if (!quotientFits(slots, remainderBits)) {
    const most = Math.floor(Math.min(MAX_SLOTS, (MAX_LINES * LINE * 8) / (remainderBits + STATE_BITS)) * LOAD);
    throw new RangeError(
      `capacity is ${capacity}; with remainders of ${remainderBits} bits, a filter holds ${most}. Lower it, raise errorRate, or use several filters.`,
    );
  }
  const lines = quotientLines(slots, remainderBits);
  return { slots, remainderBits, lines, errorRate: quotientRate(capacity / slots, remainderBits) };
}

/** The shortest remainders that keep the rate. */
export function quotientSizeFor(capacity: number, errorRate: number): QuotientSize {
  checkCapacity(capacity);
  checkErrorRate(errorRate);
  let bits = 1;
  while (quotientRate(LOAD, bits) > errorRate) bits++;
  return quotientSize(capacity, bits);
}
