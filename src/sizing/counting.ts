// Counters, or the bits they are compacted to, in blocks of 128 or 64. The mathematics is that of a line of bits, in
// blocked.ts; a block holds fewer keys, so chance weighs more, and each key needs more cells: at 1 % 10.9 of 128 or 12.1
// of 64, against 9.9 of 512.

import { checkErrorRate, type FilterSize, sizeFor } from "./blocked.js";

/** Below, blocks would be all but empty: a CuckooFilter keeps such rates in a tenth of the memory. */
const MIN_COUNTING_ERROR_RATE = 1e-6;

/** The fewest blocks (`lines`) that hold `capacity` keys at `errorRate`. */
export function countingSizeFor(capacity: number, errorRate: number, cells: number): FilterSize {
  checkErrorRate(errorRate);
  if (errorRate >= MIN_COUNTING_ERROR_RATE) return sizeFor(capacity, errorRate, cells);
  throw new RangeError(
    `errorRate is ${errorRate}; a counting filter keeps from ${MIN_COUNTING_ERROR_RATE} to 0.5. Use a CuckooFilter.`,
  );
}
