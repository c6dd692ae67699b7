// The Bloomier filter (Chazelle and others, 2004) on the slots of fuse.ts: the XOR of a key's slots is its value and,
// above it, a fingerprint that tells strangers. Slots are of any width from 2 to 62 bits, one behind the other.

import { HEAD, hashesOf } from "./filter";
import { fingerprint, first, fourth, rangeOf, second, segmentOf, spread, third } from "./fuse";

// @ts-ignore: decorator
@inline function slot(filter: usize, at: u32, bits: u32): u64 {
  const bit = <u64>at * bits;
  const byte = filter + HEAD + <usize>(bit >>> 3);
  const shift = <u32>bit & 7;
  let all = load<u64>(byte, 0, 1) >>> shift;
  if (shift + bits > 64) all |= <u64>load<u8>(byte, 8) << (64 - shift);
  return all;
}

// @ts-ignore: decorator
@inline function xored(filter: usize, x: u64, k: u32, bits: u32): u64 {
  const segment = segmentOf(filter);
  const p = first(x, rangeOf(filter));
  let all = slot(filter, p, bits) ^ slot(filter, second(x, p, segment), bits) ^ slot(filter, third(x, p, segment), bits);
  if (k == 4) all ^= slot(filter, fourth(x, p, segment), bits);
  return all & (((<u64>1) << bits) - 1);
}

/** What the slots of a key with this value XOR to. */
// @ts-ignore: decorator
@inline function wanted(x: u64, value: u64, bits: u32, valueBits: u32): u64 {
  return ((<u64>fingerprint(x) << valueBits) | value) & (((<u64>1) << bits) - 1);
}

/** The value of a key, or -1 where it has none. */
// @ts-ignore: decorator
@inline export function get(filter: usize, h1: u64): f64 {
  const k = hashesOf(filter);
  if (!k) return -1;
  const x = spread(filter, h1);
  const bits: u32 = load<u8>(filter, 13);
  const valueBits: u32 = load<u8>(filter, 15);
  const found = xored(filter, x, k, bits);
  const value = found & (((<u64>1) << valueBits) - 1);
  return found == wanted(x, value, bits, valueBits) ? <f64>value : -1;
}

/** Makes the XOR of the key's slots what it must be, by way of slot `at`, which is still 0. */
// @ts-ignore: decorator
@inline export function place(filter: usize, x: u64, k: u32, at: u32, value: u64): void {
  const bits: u32 = load<u8>(filter, 13);
  const all = xored(filter, x, k, bits) ^ wanted(x, value, bits, load<u8>(filter, 15));
  const bit = <u64>at * bits;
  const byte = filter + HEAD + <usize>(bit >>> 3);
  const shift = <u32>bit & 7;
  store<u64>(byte, load<u64>(byte, 0, 1) | (all << shift), 0, 1);
  if (shift + bits > 64) store<u8>(byte, load<u8>(byte, 8) | <u8>(all >>> (64 - shift)), 8);
}
