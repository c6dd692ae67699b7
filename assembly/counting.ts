// The counting Bloom filter: as the cache-line Bloom filter, but a line is 128 counters of 4 bits, or 64 of 8, so that a
// key can be taken away again. `detail` is the bits of a counter.

import { lineOf } from "./bloom";
import { step, test } from "./cells";
import { count, detailOf, hashesOf, isShared, linesOf, tallyOf } from "./filter";

/** 4 bits: 2; 8 bits: 3. */
// @ts-ignore: decorator
@inline function logOf(filter: usize): u32 {
  return (detailOf(filter) >>> 2) + 1;
}

// @ts-ignore: decorator
@inline export function has(filter: usize, h1: u64, h2: u64): u32 {
  const log = logOf(filter);
  return test(lineOf(filter, linesOf(filter), h1), h2, hashesOf(filter), 9 - log, log);
}

// @ts-ignore: decorator
@inline export function add(filter: usize, h1: u64, h2: u64): u32 {
  const log = logOf(filter);
  step(lineOf(filter, linesOf(filter), h1), h2, hashesOf(filter), 9 - log, log, 1);
  count(filter, 1);
  return 1;
}

/**
 * Returns 0 where the key was not there: also where as many were deleted as added, and what `has` finds are counters that
 * stick. Where threads share the filter, the caller sees to that, and lets in one at a time.
 */
// @ts-ignore: decorator
@inline export function remove(filter: usize, h1: u64, h2: u64): u32 {
  if ((!isShared() && tallyOf(filter) == 0) || !has(filter, h1, h2)) return 0;
  const log = logOf(filter);
  step(lineOf(filter, linesOf(filter), h1), h2, hashesOf(filter), 9 - log, log, -1);
  count(filter, -1);
  return 1;
}
