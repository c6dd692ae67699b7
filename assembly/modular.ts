// Bits at the positions (a + i·b) mod 2^(64 - shift) mod bits, for i from 0 to k - 1: Guava's, and RedisBloom's.
//
// A division for each position would cost more than all the rest. Two a key are enough: a position moves by b mod bits,
// and where the sum wraps, back by 2^(64 - shift) mod bits. bench/foreign has the figures.
//
// `flip` is XORed into the number of the byte: 7 finds the bytes of big-endian longs where they lie, 0 those of plain bits.

/** What is done at each position. */
// @ts-ignore: decorator
@inline export const TOUCH: i32 = 0;
// @ts-ignore: decorator
@inline export const TEST: i32 = 1;
// @ts-ignore: decorator
@inline export const SET: i32 = 2;
/** The same where other threads set bits too. */
// @ts-ignore: decorator
@inline export const SET_SHARED: i32 = 3;

/** The bit in bit 0, other bits are noise; or, of SET, 1 if the bit is new. */
// @ts-ignore: decorator
@inline export function visit(byte: usize, bit: u32, what: i32): u32 {
  if (what < SET) return <u32>load<u8>(byte) >>> bit;
  let found: u32;
  if (ASC_FEATURE_THREADS && what == SET_SHARED) {
    found = atomic.or<u8>(byte, <u8>(<u32>1 << bit));
  } else {
    found = load<u8>(byte);
    store<u8>(byte, <u8>(found | (<u32>1 << bit)));
  }
  return ~(found >>> bit) & 1;
}

/** 2^(64 - shift) mod bits. Filters ask again and again, so the latest is kept. */
// @ts-ignore: decorator
@inline function wrapOf(bits: u64, shift: u64): u64 {
  if (latestBits != bits || latestShift != shift) {
    latestBits = bits;
    latestShift = shift;
    // The power itself may not fit in 64 bits.
    latestWrap = ((<u64>-1 >>> shift) % bits + 1) % bits;
  }
  return latestWrap;
}
let latestBits: u64 = 0;
let latestShift: u64 = 0;
let latestWrap: u64 = 0;

/** TEST: are all bits set? Three probes, one way out, then the rest. SET: how many bits are new? */
// @ts-ignore: decorator
@inline export function walk(data: usize, flip: usize, a: u64, b: u64, shift: u64, bits: u64, k: u32, what: i32): u32 {
  // In the upper bits, so that a sum wraps where 64 bits do.
  let sum = a << shift;
  const stride = b << shift;
  let at = <i64>((sum >>> shift) % bits);
  // What a position moves by, and what where the sum wraps: chosen off the chain of positions, which is what takes time.
  const step = <i64>((stride >>> shift) % bits);
  const back = step - <i64>wrapOf(bits, shift);
  const wrapped = back + select<i64>(<i64>bits, 0, back < 0);
  let result: u32 = what == TEST ? 1 : 0;
  for (let i: u32 = 1; ; i++) {
    const found = visit(data + (<usize>(at >>> 3) ^ flip), <u32>at & 7, what);
    if (what == TEST) result &= found;
    else result += found;
    if (i == k) break;
    if (what == TEST && i == 3 && !(result & 1)) return 0;
    sum += stride;
    at += select<i64>(wrapped, step, sum < stride);
    const beyond = at - <i64>bits;
    at = select<i64>(at, beyond, beyond < 0);
  }
  return what == TEST ? result & 1 : result;
}
