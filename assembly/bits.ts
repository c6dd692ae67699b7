// Whole stretches of bits: count, merge, intersect. Lengths are multiples of 16, addresses of 8.

import { countOnes } from "./filter";

// @ts-ignore: decorator
@inline function onesIn32(x: u32): u32 {
  // Not popcnt: wasm2js makes a loop over bits of it.
  x -= (x >>> 1) & 0x55555555;
  x = (x & 0x33333333) + ((x >>> 2) & 0x33333333);
  return (((x + (x >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}

// @ts-ignore: decorator
@inline function onesIn128(x: v128): u32 {
  const bytes = i16x8.extadd_pairwise_i8x16_u(i8x16.popcnt(x));
  const sums = i32x4.extadd_pairwise_i16x8_u(bytes);
  return i32x4.extract_lane(sums, 0) + i32x4.extract_lane(sums, 1) + i32x4.extract_lane(sums, 2) + i32x4.extract_lane(sums, 3);
}

/** How many bits are set in at most 256 MiB. */
export function popcount(bytes: usize, length: u32): u32 {
  const end = bytes + length;
  let ones: u32 = 0;
  if (ASC_FEATURE_SIMD) {
    let sums = i32x4.splat(0);
    for (; bytes < end; bytes += 16) {
      const pairs = i16x8.extadd_pairwise_i8x16_u(i8x16.popcnt(v128.load(bytes)));
      sums = i32x4.add(sums, i32x4.extadd_pairwise_i16x8_u(pairs));
    }
    ones = i32x4.extract_lane(sums, 0) + i32x4.extract_lane(sums, 1) + i32x4.extract_lane(sums, 2) + i32x4.extract_lane(sums, 3);
  } else {
    for (; bytes < end; bytes += 4) ones += onesIn32(load<u32>(bytes));
  }
  return ones;
}

/** into |= from, kept in the filter's count of ones. */
export function merge(filter: usize, into: usize, from: usize, length: u32): void {
  const end = into + length;
  let fresh: u32 = 0;
  if (ASC_FEATURE_THREADS) {
    for (; into < end; into += 8, from += 8) {
      const wanted = load<u64>(from);
      if (wanted & ~load<u64>(into)) fresh += <u32>popcnt(wanted & ~atomic.or<u64>(into, wanted));
    }
  } else if (ASC_FEATURE_SIMD) {
    for (; into < end; into += 16, from += 16) {
      const old = v128.load(into);
      const wanted = v128.load(from);
      fresh += onesIn128(v128.andnot(wanted, old));
      v128.store(into, v128.or(old, wanted));
    }
  } else {
    for (; into < end; into += 4, from += 4) {
      const old = load<u32>(into);
      const wanted = load<u32>(from);
      fresh += onesIn32(wanted & ~old);
      store<u32>(into, old | wanted);
    }
  }
  countOnes(filter, fresh);
}

/** into &= from, kept in the filter's count of ones. */
export function intersect(filter: usize, into: usize, from: usize, length: u32): void {
  const end = into + length;
  let gone: u32 = 0;
  if (ASC_FEATURE_THREADS) {
    for (; into < end; into += 8, from += 8) {
      const kept = load<u64>(from);
      if (load<u64>(into) & ~kept) gone += <u32>popcnt(atomic.and<u64>(into, kept) & ~kept);
    }
  } else if (ASC_FEATURE_SIMD) {
    for (; into < end; into += 16, from += 16) {
      const old = v128.load(into);
      const kept = v128.load(from);
      gone += onesIn128(v128.andnot(old, kept));
      v128.store(into, v128.and(old, kept));
    }
  } else {
    for (; into < end; into += 4, from += 4) {
      const old = load<u32>(into);
      const kept = load<u32>(from);
      gone += onesIn32(old & ~kept);
      store<u32>(into, old & kept);
    }
  }
  countOnes(filter, -(<i32>gone));
}
