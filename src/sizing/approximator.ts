// A compact approximator is a classic Bloom filter at every level: seen from a value v, a cell is set if it holds v or
// more, and the keys that were put at v or more are its members.

import { MAX_LINES } from "../engine/layout.js";
import { AIM, checkCapacity, checkErrorRate } from "./blocked.js";
import { classicErrorRateAt, textbookSize } from "./classic.js";

export interface ApproximatorSize {
  readonly cells: number;
  readonly hashes: number;
  readonly lines: number;
}

export function approximatorSizeFor(capacity: number, errorRate: number, valueBits: 8 | 16): ApproximatorSize {
  checkCapacity(capacity);
  checkErrorRate(errorRate);
  // Aimed at as lines are: filters scatter around the formula.
  const { bits: cells, hashes } = textbookSize(capacity, errorRate * AIM);
  const lines = Math.ceil((cells * valueBits) / 512);
  if (lines > MAX_LINES || cells >= 2 ** 32) {
    throw new RangeError(`capacity is ${capacity}; its cells do not fit in 4 GiB. Lower it, or raise errorRate.`);
  }
  return { cells, hashes, lines };
}

/** The chance that a key reads v or more though it was put lower, or never, where `keys` were put at v or more. */
export const approximatorRateAt: (keys: number, cells: number, hashes: number) => number = classicErrorRateAt;
