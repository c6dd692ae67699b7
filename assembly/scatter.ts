// A filter of bits anywhere, of which a key owns k: over the whole (classic), or one in each slice (partitioned). Which
// of the two is a constant wherever these functions are inlined, so that neither pays for the other.

import * as whole from "./double-hashing";
import { count, detail2Of, detailOf, HEAD, hashesOf, isShared, loseCount } from "./filter";
import * as slices from "./slices";

/** The bits of the whole filter, or of a slice. */
// @ts-ignore: decorator
@inline function sizeOf(sliced: bool, filter: usize): u64 {
  return sliced ? <u64>detailOf(filter) : (<u64>detail2Of(filter) << 32) | detailOf(filter);
}

// @ts-ignore: decorator
@inline function start(sliced: bool, h1: u64, size: u64): u64 {
  return sliced ? h1 : whole.start(h1, size);
}

// @ts-ignore: decorator
@inline function stepOf(sliced: bool, h2: u64, size: u64): u64 {
  return sliced ? h2 : whole.stepOf(h2, size);
}

// @ts-ignore: decorator
@inline function next(sliced: bool, at: u64, step: u64, size: u64): u64 {
  return sliced ? slices.next(at, step) : whole.next(at, step, size);
}

/** `from` is where the slice begins. */
// @ts-ignore: decorator
@inline function positionOf(sliced: bool, at: u64, size: u64, from: u64): u64 {
  return sliced ? from + slices.placeOf(at, size) : at >>> whole.PLACES;
}

/** The 32-bit word that holds a bit. */
// @ts-ignore: decorator
@inline function wordOf(filter: usize, position: u64): usize {
  return filter + HEAD + <usize>((position >>> 5) << 2);
}

/** That bit, in bit 0; the other bits are noise. A shift counts modulo 32. */
// @ts-ignore: decorator
@inline function probe(filter: usize, position: u64): u32 {
  return load<u32>(wordOf(filter, position)) >>> <u32>position;
}

/**
 * Sets a bit, where other threads do so too `atomically`. Returns `fresh`, what was new so far, with this bit: a number if
 * set atomically, else only whether there was any.
 */
// @ts-ignore: decorator
@inline function set(filter: usize, position: u64, atomically: bool, fresh: u32): u32 {
  const at = filter + HEAD + <usize>(position >>> 3);
  const bit: u32 = 1 << (<u32>position & 7);
  let byte: u32 = load<u8>(at);
  if (!atomically) {
    const full = byte | bit;
    store<u8>(at, <u8>full);
    return fresh | (full ^ byte);
  }
  // A bit that is there already costs no atomic. What an OR finds unset is new, and new to this thread alone.
  if (ASC_FEATURE_THREADS && !(byte & bit)) byte = atomic.or<u8>(at, <u8>bit);
  return fresh + u32(!(byte & bit));
}

/** A word of every line the key may touch. */
// @ts-ignore: decorator
@inline export function touch(sliced: bool, filter: usize, h1: u64, h2: u64): u32 {
  const size = sizeOf(sliced, filter);
  const step = stepOf(sliced, h2, size);
  let at = start(sliced, h1, size);
  let from: u64 = 0;
  let sum: u32 = 0;
  for (let k = hashesOf(filter); ; from += size) {
    sum += probe(filter, positionOf(sliced, at, size, from));
    if (!--k) break;
    at = next(sliced, at, step, size);
  }
  return sum;
}

/** Three probes, one way out, then the rest: no branch depends on a single bit. */
// @ts-ignore: decorator
@inline export function has(sliced: bool, filter: usize, h1: u64, h2: u64): u32 {
  const size = sizeOf(sliced, filter);
  const step = stepOf(sliced, h2, size);
  let at = start(sliced, h1, size);
  let from: u64 = 0;
  let k = hashesOf(filter);
  let all = probe(filter, positionOf(sliced, at, size, from));
  if (k > 3) {
    at = next(sliced, at, step, size);
    all &= probe(filter, positionOf(sliced, at, size, (from += size)));
    at = next(sliced, at, step, size);
    all &= probe(filter, positionOf(sliced, at, size, (from += size)));
    if (!(all & 1)) return 0;
    k -= 2;
  }
  while (--k) {
    at = next(sliced, at, step, size);
    all &= probe(filter, positionOf(sliced, at, size, (from += size)));
  }
  return all & 1;
}

/** Whether any bit was new. */
// @ts-ignore: decorator
@inline export function add(sliced: bool, filter: usize, h1: u64, h2: u64): u32 {
  let fresh: u32;
  if (isShared()) {
    fresh = addAll(sliced, filter, h1, h2, true);
    if (fresh) count(filter, fresh);
  } else {
    fresh = addAll(sliced, filter, h1, h2, false);
    if (fresh) loseCount(filter);
  }
  return fresh;
}

// @ts-ignore: decorator
@inline function addAll(sliced: bool, filter: usize, h1: u64, h2: u64, atomically: bool): u32 {
  const size = sizeOf(sliced, filter);
  const step = stepOf(sliced, h2, size);
  let at = start(sliced, h1, size);
  let from: u64 = 0;
  let fresh: u32 = 0;
  for (let k = hashesOf(filter); ; from += size) {
    fresh = set(filter, positionOf(sliced, at, size, from), atomically, fresh);
    if (!--k) break;
    at = next(sliced, at, step, size);
  }
  return fresh;
}
