// Many cache-line Bloom filters of one geometry, cut into slices: bit p of all filters lies together, in row p, and
// filter i is column i. A key's k rows, ANDed, are the filters that may hold it.
//
//                  filter 0 1 2 3 …
//   row 0, bit 0 of line 0: 1 0 0 1 …      a row is 16 or 32 bytes or whole cache lines
//   row 1, bit 1 of line 0: 0 0 1 1 …
//
// Asking 1,000 filters reads k rows of 128 bytes. With the filters' lines side by side instead (line 0 of all filters,
// then line 1, …) it reads 1,000 lines, one behind the other: 7 to 11 times as long (bench/frozen/layouts.js). The
// price is paid by writers: an add touches k lines instead of one, and a filter is dropped row by row.
//
//   +12 u32 places   how many filters there can be
//   +56 u32 lines of each filter
//
// Behind the rows a last one says which places are taken.

import { HEAD, hashesOf, isShared } from "./filter";
import { remix } from "./line";

/** Bytes of a row. */
// @ts-ignore: decorator
@inline function strideOf(filter: usize): usize {
  const places = load<u32>(filter, 12);
  return places <= 128 ? 16 : places <= 256 ? 32 : <usize>((places + 511) >>> 9) << 6;
}

/** Row 0 of the key's line. */
// @ts-ignore: decorator
@inline function rowsOf(filter: usize, h1: u64, stride: usize): usize {
  return filter + HEAD + <usize>(((h1 >>> 32) * load<u32>(filter, 56)) >>> 32) * 512 * stride;
}

/** The same 32 filters in all of the key's rows, ANDed. */
// @ts-ignore: decorator
@inline export function word(filter: usize, h1: u64, h2: u64, index: u32): u32 {
  const stride = strideOf(filter);
  const at = rowsOf(filter, h1, stride) + (<usize>index << 2);
  let all: u32 = u32.MAX_VALUE;
  let k = hashesOf(filter);
  for (let slice: u32 = 0; slice < k; slice++) {
    if (slice == 7) {
      h2 = remix(h2);
      k -= 7;
      slice = 0;
    }
    all &= load<u32>(at + (<usize>(h2 >>> (slice * 9)) & 511) * stride);
  }
  return all;
}

/** Does any filter hold it? */
export function has(filter: usize, h1: u64, h2: u64): u32 {
  const words = <u32>(strideOf(filter) >>> 2);
  for (let i: u32 = 0; i < words; i++) if (word(filter, h1, h2, i)) return 1;
  return 0;
}

/** The start of the first three rows. */
// @ts-ignore: decorator
@inline export function touch(filter: usize, h1: u64, h2: u64): u32 {
  const stride = strideOf(filter);
  const rows = rowsOf(filter, h1, stride);
  return (
    load<u32>(rows + (<usize>h2 & 511) * stride) +
    load<u32>(rows + (<usize>(h2 >>> 9) & 511) * stride) +
    load<u32>(rows + (<usize>(h2 >>> 18) & 511) * stride)
  );
}

/** All of the key's rows, ANDed, at `out`. */
export function which(filter: usize, h1: u64, h2: u64, out: usize): void {
  const stride = strideOf(filter);
  const rows = rowsOf(filter, h1, stride);
  let k = hashesOf(filter);
  memory.copy(out, rows + (<usize>h2 & 511) * stride, stride);
  for (let slice: u32 = 1; slice < k; slice++) {
    if (slice == 7) {
      h2 = remix(h2);
      k -= 7;
      slice = 0;
    }
    const row = rows + (<usize>(h2 >>> (slice * 9)) & 511) * stride;
    for (let at: usize = 0; at < stride; at += 16) {
      if (ASC_FEATURE_SIMD) {
        v128.store(out + at, v128.and(v128.load(out + at), v128.load(row + at)));
      } else {
        store<u64>(out + at, load<u64>(out + at) & load<u64>(row + at));
        store<u64>(out + at, load<u64>(out + at, 8) & load<u64>(row + at, 8), 8);
      }
    }
  }
}

// @ts-ignore: decorator
@inline function set(at: usize, bit: u32): u32 {
  if (ASC_FEATURE_THREADS && isShared()) return atomic.or<u32>(at, bit);
  const word = load<u32>(at);
  store<u32>(at, word | bit);
  return word;
}

/** Adds a key to the filter in a place, which is taken from now on. Returns how many bits were new. */
export function add(filter: usize, h1: u64, h2: u64, place: u32): u32 {
  const stride = strideOf(filter);
  const at = rowsOf(filter, h1, stride) + (<usize>(place >>> 5) << 2);
  const bit: u32 = 1 << (place & 31);
  let fresh: u32 = 0;
  let k = hashesOf(filter);
  for (let slice: u32 = 0; slice < k; slice++) {
    if (slice == 7) {
      h2 = remix(h2);
      k -= 7;
      slice = 0;
    }
    const row = at + (<usize>(h2 >>> (slice * 9)) & 511) * stride;
    fresh += u32(!(set(row, bit) & bit));
  }
  const taken = filter + HEAD + <usize>load<u32>(filter, 56) * 512 * stride + (<usize>(place >>> 5) << 2);
  if (!(load<u32>(taken) & bit)) set(taken, bit);
  return fresh;
}
