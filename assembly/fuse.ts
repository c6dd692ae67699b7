// The binary fuse filter (Graf and Lemire, 2022): a key is the XOR of three slots, or four, in neighbouring segments.
//
//   segments of 2^n slots:   | s | s+1 | s+2 | …      the first position lies anywhere, and each further one in the
//   a key's slots:             x    x     x           next segment, at an offset of its own
//
//   +7  u8  hashes   slots a key owns: 3 or 4; 0 in the filter of no key
//   +12 u8  log2 of the length of a segment, at most 18
//   +13 u8  bits of a slot
//   +14 u8  rounds   how many times h1 was remixed before all keys found a place
//   +15 u8  bits of a value, in a map
//   +56 u32 range    where a first position may lie; a multiple of the segment
//
// 3 slots: 1.125 slots a key; 4 slots: 1.075, and a lookup reads one more.

import { HEAD, hashesOf } from "./filter";
import { remix } from "./line";

// @ts-ignore: decorator
@inline export function segmentOf(filter: usize): u32 {
  return <u32>1 << load<u8>(filter, 12);
}

// @ts-ignore: decorator
@inline export function rangeOf(filter: usize): u32 {
  return load<u32>(filter, 56);
}

/** The 64 bits that decide all: h1, remixed until peeling succeeds for every key. Mostly that is h1 itself. */
// @ts-ignore: decorator
@inline export function spread(filter: usize, h1: u64): u64 {
  for (let rounds: u32 = load<u8>(filter, 14); rounds; rounds--) h1 = remix(h1);
  return h1;
}

// @ts-ignore: decorator
@inline export function fingerprint(x: u64): u32 {
  return <u32>x ^ <u32>(x >>> 32);
}

// Where the slots are. Bits 0-17, 18-35 and 36-53 are the offsets, the high half is the first position.

// @ts-ignore: decorator
@inline export function first(x: u64, range: u32): u32 {
  return <u32>(((x >>> 32) * range) >>> 32);
}

// @ts-ignore: decorator
@inline export function second(x: u64, first: u32, segment: u32): u32 {
  return (first + segment) ^ (<u32>(x >>> 18) & (segment - 1));
}

// @ts-ignore: decorator
@inline export function third(x: u64, first: u32, segment: u32): u32 {
  return (first + segment * 2) ^ (<u32>x & (segment - 1));
}

// @ts-ignore: decorator
@inline export function fourth(x: u64, first: u32, segment: u32): u32 {
  return (first + segment * 3) ^ (<u32>(x >>> 36) & (segment - 1));
}

// @ts-ignore: decorator
@inline function slot<T>(filter: usize, at: u32): u32 {
  return load<T>(filter + HEAD + (<usize>at << alignof<T>()));
}

/** The XOR of a key's slots, of 8, 16 or 32 bits. */
// @ts-ignore: decorator
@inline function xored<T>(filter: usize, x: u64, k: u32): u32 {
  const segment = segmentOf(filter);
  const p = first(x, rangeOf(filter));
  let all = slot<T>(filter, p) ^ slot<T>(filter, second(x, p, segment)) ^ slot<T>(filter, third(x, p, segment));
  if (k == 4) all ^= slot<T>(filter, fourth(x, p, segment));
  return all;
}

// @ts-ignore: decorator
@inline export function has(filter: usize, h1: u64): u32 {
  const k = hashesOf(filter);
  if (!k) return 0;
  const x = spread(filter, h1);
  const bits: u32 = load<u8>(filter, 13);
  if (bits == 8) return u32(<u8>(xored<u8>(filter, x, k) ^ fingerprint(x)) == 0);
  if (bits == 16) return u32(<u16>(xored<u16>(filter, x, k) ^ fingerprint(x)) == 0);
  return u32(xored<u32>(filter, x, k) == fingerprint(x));
}

/** Makes the XOR of the key's slots what it must be, by way of slot `at`, which is still 0. */
// @ts-ignore: decorator
@inline export function place(filter: usize, x: u64, k: u32, at: u32): void {
  const bits: u32 = load<u8>(filter, 13);
  if (bits == 8) store<u8>(filter + HEAD + at, xored<u8>(filter, x, k) ^ fingerprint(x));
  else if (bits == 16) store<u16>(filter + HEAD + (<usize>at << 1), xored<u16>(filter, x, k) ^ fingerprint(x));
  else store<u32>(filter + HEAD + (<usize>at << 2), xored<u32>(filter, x, k) ^ fingerprint(x));
}
