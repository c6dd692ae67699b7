// What a counting filter becomes when its counters are made bits: blocks of 128 or 64 bits, one to a key.
// `detail` is the bits of a block, `detail2` the number of blocks.

import { step, test } from "./cells";
import { count, detail2Of, detailOf, HEAD, hashesOf } from "./filter";

/** Bits of a position: 7 or 6. */
// @ts-ignore: decorator
@inline function widthOf(filter: usize): u32 {
  return 6 + (detailOf(filter) >>> 7);
}

// @ts-ignore: decorator
@inline function blockOf(filter: usize, h1: u64): usize {
  return filter + HEAD + ((<usize>(((h1 >>> 32) * detail2Of(filter)) >>> 32)) << (widthOf(filter) - 3));
}

// @ts-ignore: decorator
@inline export function touch(filter: usize, h1: u64): u32 {
  return load<u32>(blockOf(filter, h1));
}

// @ts-ignore: decorator
@inline export function has(filter: usize, h1: u64, h2: u64): u32 {
  return test(blockOf(filter, h1), h2, hashesOf(filter), widthOf(filter), 0);
}

/** Returns how many bits were new. */
// @ts-ignore: decorator
@inline export function add(filter: usize, h1: u64, h2: u64): u32 {
  const fresh = step(blockOf(filter, h1), h2, hashesOf(filter), widthOf(filter), 0, 1);
  count(filter, fresh);
  return fresh;
}
