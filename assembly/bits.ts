// Whole stretches of bits: count, merge, intersect. Lengths are multiples of 16, addresses of 8. Merging works on private
// memory only; a shared filter is merged word by word with Atomics, in JavaScript.

// @ts-ignore: decorator
@inline function onesIn32(x: u32): u32 {
  // Not popcnt: wasm2js makes a loop over bits of it.
  x -= (x >>> 1) & 0x55555555;
  x = (x & 0x33333333) + ((x >>> 2) & 0x33333333);
  return (((x + (x >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}

/** The ones of x, in four sums. */
// @ts-ignore: decorator
@inline function onesIn128(x: v128): v128 {
  return i32x4.extadd_pairwise_i16x8_u(i16x8.extadd_pairwise_i8x16_u(i8x16.popcnt(x)));
}

// @ts-ignore: decorator
@inline function total(sums: v128): u32 {
  return i32x4.extract_lane(sums, 0) + i32x4.extract_lane(sums, 1) + i32x4.extract_lane(sums, 2) + i32x4.extract_lane(sums, 3);
}

/** How many bits are set in at most 256 MiB. */
export function popcount(bytes: usize, length: u32): u32 {
  const end = bytes + length;
  if (ASC_FEATURE_SIMD) {
    let sums = i32x4.splat(0);
    for (; bytes < end; bytes += 16) sums = i32x4.add(sums, onesIn128(v128.load(bytes)));
    return total(sums);
  } else {
    let ones: u32 = 0;
    for (; bytes < end; bytes += 4) ones += onesIn32(load<u32>(bytes));
    return ones;
  }
}

/** into |= from, or &= where `common`. */
export function combine(into: usize, from: usize, length: u32, common: bool): void {
  const step: usize = ASC_FEATURE_SIMD ? 16 : 4;
  for (let at: usize = 0; at < length; at += step) {
    if (ASC_FEATURE_SIMD) {
      const mine = v128.load(into + at);
      const theirs = v128.load(from + at);
      v128.store(into + at, common ? v128.and(mine, theirs) : v128.or(mine, theirs));
    } else {
      const mine = load<u32>(into + at);
      const theirs = load<u32>(from + at);
      store<u32>(into + at, common ? mine & theirs : mine | theirs);
    }
  }
}
