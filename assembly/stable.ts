// The stable Bloom filter (Deng, Rafiei 2006), for streams without end: cells of 1, 2, 4 or 8 bits. Each add first takes one off P
// cells, then sets the k cells of its key to their maximum. So old keys fade, and the share of zeros settles where as
// many cells fade as are set.
//
// The P cells are neighbours from a random place on, as the paper has it: a line or two instead of P. The place is mixed
// of the key's hash and the number of adds so far, which is the tally of the head. So there is no other state: a filter
// that was saved and loaded goes on as if it had not been.
//
//   detail   cells        detail2   P, and in the top byte the bits of a cell

import { count, detail2Of, detailOf, HEAD, hashesOf, isShared, tallyOf } from "./filter";
import { next, placeOf } from "./slices";

// @ts-ignore: decorator
@inline function cellBitsOf(filter: usize): u32 {
  return detail2Of(filter) >>> 24;
}

// @ts-ignore: decorator
@inline function fadingOf(filter: usize): u32 {
  return detail2Of(filter) & 0xffffff;
}

/** The 32-bit word that holds the cell which begins at a bit. */
// @ts-ignore: decorator
@inline function wordOf(filter: usize, bit: u64): usize {
  return filter + HEAD + <usize>((bit >>> 5) << 2);
}

/** Where fading begins. The finish of SplitMix64 spreads neighbouring numbers all over. */
// @ts-ignore: decorator
@inline function fadingFrom(h1: u64, adds: u64, cells: u64): u64 {
  let x = h1 + adds * 0x9e3779b97f4a7c15;
  x = (x ^ (x >>> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >>> 27)) * 0x94d049bb133111eb;
  return placeOf(x ^ (x >>> 31), cells);
}

/** Takes one off a cell that has any. */
// @ts-ignore: decorator
@inline function fade(at: usize, cell: u32, one: u32, shared: bool): void {
  let word = load<u32>(at);
  if (!shared) {
    store<u32>(at, word - (word & cell ? one : 0));
  } else if (ASC_FEATURE_THREADS) {
    while (word & cell) {
      const seen = atomic.cmpxchg<u32>(at, word, word - one);
      if (seen == word) break;
      word = seen;
    }
  }
}

/** Sets a cell to its maximum. */
// @ts-ignore: decorator
@inline function fill(at: usize, cell: u32, shared: bool): void {
  if (!shared) store<u32>(at, load<u32>(at) | cell);
  else if (ASC_FEATURE_THREADS) atomic.or<u32>(at, cell);
}

// @ts-ignore: decorator
@inline export function touch(filter: usize, h1: u64, h2: u64): u32 {
  const cells = <u64>detailOf(filter);
  const width = <u64>cellBitsOf(filter);
  let sum: u32 = 0;
  for (let k = hashesOf(filter); ; ) {
    sum += load<u32>(wordOf(filter, placeOf(h1, cells) * width));
    if (!--k) break;
    h1 = next(h1, h2);
  }
  return sum;
}

/** Is none of the key's cells zero? */
// @ts-ignore: decorator
@inline export function has(filter: usize, h1: u64, h2: u64): u32 {
  const cells = <u64>detailOf(filter);
  const width = cellBitsOf(filter);
  const full: u32 = (1 << width) - 1;
  let all: u32 = 1;
  for (let k = hashesOf(filter); ; ) {
    const bit = placeOf(h1, cells) * width;
    all &= u32(((load<u32>(wordOf(filter, bit)) >>> <u32>bit) & full) != 0);
    if (!--k) break;
    h1 = next(h1, h2);
  }
  return all;
}

/** Returns 1 if the key was not there. */
// @ts-ignore: decorator
@inline export function add(filter: usize, h1: u64, h2: u64): u32 {
  const cells = <u64>detailOf(filter);
  const width = <u64>cellBitsOf(filter);
  const full: u32 = (1 << <u32>width) - 1;
  const shared = isShared();
  const known = has(filter, h1, h2);
  let cell = fadingFrom(h1, tallyOf(filter), cells);
  for (let p = fadingOf(filter); p; p--) {
    const bit = cell * width;
    fade(wordOf(filter, bit), full << <u32>bit, 1 << <u32>bit, shared);
    if (++cell == cells) cell = 0;
  }
  for (let k = hashesOf(filter); ; ) {
    const bit = placeOf(h1, cells) * width;
    fill(wordOf(filter, bit), full << <u32>bit, shared);
    if (!--k) break;
    h1 = next(h1, h2);
  }
  count(filter, 1);
  return known ^ 1;
}
