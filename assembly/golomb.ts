// A sorted set of values below N = ceil(capacity / error rate), as Golomb-Rice codes of the gaps between them: a key is
// one value, so that a stranger meets a member's with the error rate. A gap is its quotient by 2^rice, as so many zeros
// and a one, and then the remainder: log2(N / n) + 1.56 bits a value at worst, of 1.44 that must be.
//
// Values are cut into buckets of 2^width, with 54 to 108 members on average; an index of u32 in front of the codes says at which
// bit a bucket begins, which is where its gaps begin too. So a lookup decodes half a bucket. Building makes sure that
// none has more than 512 values; the likelihood of that is below 1e-100 unless somebody chose the keys for it.
//
//   +12 u8  rice    bits of a remainder
//   +13 u8  width   log2 of a bucket
//   +14 u8  rounds  how many times h1 was remixed
//   +24 u64 capacity, +32 f64 error rate
//   +56 u32 bits of code
//   +40 u64 tally   values

import { HEAD, linesOf } from "./filter";
import { spread } from "./fuse";

/** Values in a bucket at most. */
// @ts-ignore: decorator
@inline const MOST: u32 = 512;

// @ts-ignore: decorator
@inline function riceOf(filter: usize): u32 {
  return load<u8>(filter, 12);
}

// @ts-ignore: decorator
@inline function widthOf(filter: usize): u32 {
  return load<u8>(filter, 13);
}

// @ts-ignore: decorator
@inline function limitOf(filter: usize): u64 {
  return <u64>ceil(<f64>load<u64>(filter, 24) / load<f64>(filter, 32));
}

// @ts-ignore: decorator
@inline function bucketsOf(filter: usize): u32 {
  return <u32>((limitOf(filter) - 1) >>> widthOf(filter)) + 1;
}

/** Codes follow the index. */
// @ts-ignore: decorator
@inline function codesOf(filter: usize): usize {
  return filter + HEAD + (<usize>bucketsOf(filter) << 2);
}

/** The high 64 bits of the product: a hash becomes a value below the limit, in the same order. */
// @ts-ignore: decorator
@inline function below(x: u64, limit: u64): u64 {
  const low = <u64><u32>x * <u64><u32>limit;
  const one = (x >>> 32) * <u64><u32>limit + (low >>> 32);
  const two = <u64><u32>x * (limit >>> 32) + <u64><u32>one;
  return (x >>> 32) * (limit >>> 32) + (one >>> 32) + (two >>> 32);
}

// Reading. Whatever the bytes are, no load leaves the lines, and a bucket is no longer than MOST codes can be.

let bit: u64 = 0;
let end: u64 = 0;

/** Where bucket begins and ends in the codes, in bits. */
// @ts-ignore: decorator
@inline function enter(filter: usize, bucket: u32): void {
  const index = filter + HEAD + (<usize>bucket << 2);
  const all: u64 = load<u32>(filter, 56);
  bit = load<u32>(index);
  end = bucket + 1 < bucketsOf(filter) ? load<u32>(index, 4) : all;
  // A bucket's quotients add up to its width by that of a remainder.
  const longest = bit + MOST * (riceOf(filter) + 1) + (<u64>1 << (widthOf(filter) - riceOf(filter)));
  end = min(min(end, all), longest);
}

/** The next gap. Behind the last code there are 24 bytes: the furthest load begins 64 bits beyond it. */
// @ts-ignore: decorator
@inline function nextGap(codes: usize, rice: u32): u64 {
  let quotient: u64 = 0;
  let word = load<u64>(codes + <usize>(bit >>> 3), 0, 1) >>> (bit & 7);
  // At least 57 bits of the word are there.
  while (!(word & 0xffffffff)) {
    quotient += 32;
    bit += 32;
    if (bit >= end) return 0;
    word = load<u64>(codes + <usize>(bit >>> 3), 0, 1) >>> (bit & 7);
  }
  const zeros = ctz(<u32>word);
  bit += zeros + 1;
  const rest = load<u64>(codes + <usize>(bit >>> 3), 0, 1) >>> (bit & 7);
  bit += rice;
  return ((quotient + zeros) << rice) | (rest & ((<u64>1 << rice) - 1));
}

// @ts-ignore: decorator
@inline export function has(filter: usize, h1: u64): u32 {
  const value = below(spread(filter, h1), limitOf(filter));
  const width = widthOf(filter);
  const bucket = <u32>(value >>> width);
  const codes = codesOf(filter);
  const rice = riceOf(filter);
  enter(filter, bucket);
  let reached = <u64>bucket << width;
  while (bit < end) {
    reached += nextGap(codes, rice);
    if (reached >= value) return u32(reached == value);
    reached++;
  }
  return 0;
}

/** The bucket's entry in the index, and the first of its codes. */
// @ts-ignore: decorator
@inline export function touch(filter: usize, h1: u64): u32 {
  const bucket = <u32>(below(spread(filter, h1), limitOf(filter)) >>> widthOf(filter));
  const at = min(load<u32>(filter + HEAD + (<usize>bucket << 2)), load<u32>(filter, 56));
  return load<u8>(codesOf(filter) + (at >>> 3));
}

/** Writes all values, at most `most`, in ascending order. Returns how many there are. */
export function golombValues(filter: usize, out: usize, most: u32): u32 {
  const codes = codesOf(filter);
  const rice = riceOf(filter);
  const buckets = bucketsOf(filter);
  let n: u32 = 0;
  for (let bucket: u32 = 0; bucket < buckets; bucket++) {
    enter(filter, bucket);
    for (let value = <u64>bucket << widthOf(filter); bit < end && n < most; value++, n++) {
      value += nextGap(codes, rice);
      store<u64>(out + (<usize>n << 3), value);
    }
  }
  return n;
}

// Writing.

/** Turns n sorted hashes into values below the filter's limit, in place. */
export function golombRange(filter: usize, list: usize, n: u32): void {
  const limit = limitOf(filter);
  for (const end = list + (<usize>n << 3); list < end; list += 8) store<u64>(list, below(load<u64>(list), limit));
}

/** Ors the low bits of a word into the codes. */
// @ts-ignore: decorator
@inline function put(codes: usize, word: u64): void {
  const at = codes + <usize>(bit >>> 3);
  store<u64>(at, load<u64>(at, 0, 1) | (word << (bit & 7)), 0, 1);
}

/**
 * Writes index and codes of n sorted, distinct values. Returns the bits of the codes, or -1 where a bucket has too many
 * values or there are more bits than the index can name.
 */
export function golombEncode(filter: usize, list: usize, n: u32): f64 {
  const codes = codesOf(filter);
  const rice = riceOf(filter);
  const width = widthOf(filter);
  const buckets = bucketsOf(filter);
  const last = list + (<usize>n << 3);
  bit = 0;
  for (let bucket: u32 = 0; bucket < buckets; bucket++) {
    if (bit > u32.MAX_VALUE) return -1;
    store<u32>(filter + HEAD + (<usize>bucket << 2), <u32>bit);
    let reached = <u64>bucket << width;
    const start = list;
    for (; list < last; list += 8) {
      const value = load<u64>(list);
      if (<u32>(value >>> width) != bucket) break;
      const gap = value - reached;
      reached = value + 1;
      bit += gap >>> rice;
      put(codes, 1);
      bit++;
      put(codes, gap & ((<u64>1 << rice) - 1));
      bit += rice;
    }
    if (list - start > <usize>MOST << 3) return -1;
  }
  return bit > u32.MAX_VALUE ? -1 : <f64>bit;
}
