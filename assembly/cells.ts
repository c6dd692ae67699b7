// A block of 128 or 64 cells, of which a key owns up to k: counters of 4 or 8 bits, or single bits.
//
// Positions are slices of h2, 7 bits wide for 128 cells (nine to a word) and 6 for 64 (ten); beyond them h2 is remixed, as
// in a line of bits. Two positions of a key may coincide. A key owns each of its cells once all the same, so that what an
// add counts up is what a delete counts down, and a key is there if none of its cells is zero.
//
// A cell is 1 << log bits. One that has reached its maximum sticks: it no longer knows how many keys own it. A single bit
// is a counter that sticks at 1.

import { isShared } from "./filter";
import { remix } from "./line";

/** The cell at the low end of `slices`: 1 if it is not zero. */
// @ts-ignore: decorator
@inline function probe(block: usize, slices: u64, mask: u32, log: u32): u32 {
  const bit = (<u32>slices & mask) << log;
  return u32(((load<u32>(block + ((bit >>> 5) << 2)) >>> bit) & ((1 << (1 << log)) - 1)) != 0);
}

/** Is none of the key's cells zero? Three probes, one way out, then the rest. */
// @ts-ignore: decorator
@inline export function test(block: usize, bits: u64, k: u32, width: u32, log: u32): u32 {
  const mask: u32 = (1 << width) - 1;
  const slices = 16 - width;
  let rest = bits;
  let all = probe(block, rest, mask, log);
  if (k > 3) {
    all &= probe(block, rest >>> width, mask, log) & probe(block, rest >>> (width + width), mask, log);
    if (!all) return 0;
    rest >>>= width + width;
    k -= 2;
  }
  for (let left = slices - (rest != bits ? 2 : 0); --k; ) {
    if (--left) {
      rest >>>= width;
    } else {
      rest = bits = remix(bits);
      left = slices;
    }
    all &= probe(block, rest, mask, log);
  }
  return all;
}

/** Counts one cell up or down. Returns 0 where it sticks. */
// @ts-ignore: decorator
@inline function stepCell(block: usize, cell: u32, log: u32, by: i32): u32 {
  const bit = cell << log;
  const at = block + ((bit >>> 5) << 2);
  const most: u32 = (1 << (1 << log)) - 1;
  const change: u32 = by << bit;
  let word = load<u32>(at);
  while (((word >>> bit) & most) != most) {
    if (!isShared()) {
      store<u32>(at, word + change);
      return 1;
    }
    if (ASC_FEATURE_THREADS) {
      const found = atomic.cmpxchg<u32>(at, word, word + change);
      if (found == word) return 1;
      word = found;
    }
  }
  return 0;
}

/** Counts the key's cells up (by = 1) or down (-1) and returns how many of them moved. */
export function step(block: usize, bits: u64, k: u32, width: u32, log: u32, by: i32): u32 {
  const mask: u32 = (1 << width) - 1;
  const slices = 16 - width;
  let moved: u32 = 0;
  let rest = bits;
  // The cells that were met: 0 to 63, 64 to 127.
  let low: u64 = 0;
  let high: u64 = 0;
  let left = slices;
  for (;;) {
    const cell = <u32>rest & mask;
    const one: u64 = 1 << cell;
    const met = cell & 64 ? high : low;
    if (!(met & one)) {
      if (cell & 64) high |= one;
      else low |= one;
      moved += stepCell(block, cell, log, by);
    }
    if (!--k) break;
    if (--left) {
      rest >>>= width;
    } else {
      rest = bits = remix(bits);
      left = slices;
    }
  }
  return moved;
}

/**
 * Turns `length` bytes of counters, in place, into a bit for each: 1 where it is at least `least`. A multiple of 64 bytes
 * becomes one of 16 or 8.
 */
export function packCells(at: usize, length: u32, log: u32, least: u32): void {
  const most: u32 = (1 << (1 << log)) - 1;
  const size: u32 = 1 << log;
  let into = at;
  for (const end = at + length; at < end; into++) {
    let byte: u32 = 0;
    // Eight counters: one word of 4-bit ones, two of 8-bit ones.
    for (let bit: u32 = 0; bit < 8; at += 4) {
      const word = load<u32>(at);
      for (let shift: u32 = 0; shift < 32; shift += size, bit++) {
        byte |= u32(((word >>> shift) & most) >= least) << bit;
      }
    }
    store<u8>(into, byte);
  }
}
