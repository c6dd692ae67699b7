// Guava's BloomFilter, its longs as they lie in a file: big-endian. The strategies are those of BloomFilterStrategies.

import { count, HEAD, hashesOf, isShared } from "./filter";
import { SET, SET_SHARED, TEST, TOUCH, visit, walk } from "./modular";

/** +12: how many longs; +56: which strategy, by its ordinal. */
// @ts-ignore: decorator
@inline function bitsOf(filter: usize): u64 {
  return <u64>load<u32>(filter, 12) << 6;
}

// @ts-ignore: decorator
@inline function isMitz32(filter: usize): bool {
  return load<u32>(filter, 56) == 0;
}

/**
 * MURMUR128_MITZ_32: h1 + i·h2 from the halves of 64 bits, for i from 1, as Java ints; a negative one is complemented.
 * That breaks the even stride, so each position has a division; of 32 bits, which is a cheap one.
 */
// @ts-ignore: decorator
@inline function walk32(filter: usize, hash: u64, what: i32): u32 {
  const k = hashesOf(filter);
  const bits = bitsOf(filter);
  const stride = <i32>(hash >>> 32);
  let sum = <i32>hash;
  let result: u32 = what == TEST ? 1 : 0;
  for (let i: u32 = 1; ; i++) {
    sum += stride;
    let at = <u32>(sum ^ (sum >> 31));
    if (bits <= u32.MAX_VALUE) at %= <u32>bits;
    const found = visit(filter + HEAD + ((at >>> 3) ^ 7), at & 7, what);
    if (what == TEST) result &= found;
    else result += found;
    if (i == k) break;
    if (what == TEST && i == 3 && !(result & 1)) return 0;
  }
  return what == TEST ? result & 1 : result;
}

/** MURMUR128_MITZ_64: h1 + i·h2, for i from 0, without the sign. */
// @ts-ignore: decorator
@inline function walk64(filter: usize, h1: u64, h2: u64, what: i32): u32 {
  return walk(filter + HEAD, 7, h1, h2, 1, bitsOf(filter), hashesOf(filter), what);
}

// @ts-ignore: decorator
@inline function walkAll(filter: usize, h1: u64, h2: u64, what: i32): u32 {
  return isMitz32(filter) ? walk32(filter, h1, what) : walk64(filter, h1, h2, what);
}

// @ts-ignore: decorator
@inline export function touch(filter: usize, h1: u64, h2: u64): u32 {
  return walkAll(filter, h1, h2, TOUCH);
}

// @ts-ignore: decorator
@inline export function has(filter: usize, h1: u64, h2: u64): u32 {
  return walkAll(filter, h1, h2, TEST);
}

/** Returns how many bits were new. */
// @ts-ignore: decorator
@inline export function add(filter: usize, h1: u64, h2: u64): u32 {
  let fresh: u32 = 0;
  if (!isShared()) fresh = walkAll(filter, h1, h2, SET);
  // A key that is there already costs a plain test and no atomic.
  else if (ASC_FEATURE_THREADS && !has(filter, h1, h2)) fresh = walkAll(filter, h1, h2, SET_SHARED);
  if (fresh) count(filter, fresh);
  return fresh;
}
