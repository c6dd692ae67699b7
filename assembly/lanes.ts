// Seven positions of a key side by side, in 16-bit lanes: asking takes 3 ns so, and 8 one probe after the other.
//
// A position is 9 bits from bit 9i on, so it lies in the two bytes from byte i on, i bits up. Shuffled there, shifted to
// the top of its lane (a multiply, because lanes shift by one amount only) and down by 7, all seven are clean.
//
// The constants lie in memory: V8 from Node 24 on makes a constant anew wherever it is used, with four instructions, but
// keeps what was loaded in front of a loop in a register.

import { INLINE } from "./inline";

/** Bytes of a constant. */
// @ts-ignore: decorator
@inline const ONE: usize = 16;

// prettier-ignore
const CONSTANTS: usize = !INLINE ? 0 : memory.data<u8>([
  0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 7,
  128, 0, 64, 0, 32, 0, 16, 0, 8, 0, 4, 0, 2, 0, 0, 0,
  7, 0, 7, 0, 7, 0, 7, 0, 7, 0, 7, 0, 7, 0, 7, 0,
  1, 2, 4, 8, 16, 32, 64, 128, 0, 0, 0, 0, 0, 0, 0, 0,
  0, 127, 1, 127, 2, 127, 3, 127, 4, 127, 5, 127, 6, 127, 127, 127,
  16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16,
], 16);

/** The bytes of a hash that lane i needs. */
// @ts-ignore: decorator
@inline export function pairs(): v128 {
  return v128.load(CONSTANTS);
}

/** What shifts them to the top of the lane; the last lane is nobody's. */
// @ts-ignore: decorator
@inline export function shifts(): v128 {
  return v128.load(CONSTANTS + ONE);
}

// @ts-ignore: decorator
@inline export function sevens(): v128 {
  return v128.load(CONSTANTS + 2 * ONE);
}

// @ts-ignore: decorator
@inline export function powers(): v128 {
  return v128.load(CONSTANTS + 3 * ONE);
}

/** All ones in the even bytes of the first k lanes, of seven. */
// @ts-ignore: decorator
@inline export function lanes(k: u32): v128 {
  return i8x16.gt_s(i8x16.splat(<i8>k), v128.load(CONSTANTS + 4 * ONE));
}

// @ts-ignore: decorator
@inline export function quarters(): v128 {
  return v128.load(CONSTANTS + 5 * ONE);
}

/** The positions in the low 63 bits of `bits`. */
// @ts-ignore: decorator
@inline export function positions(bits: u64, pairs: v128, shifts: v128): v128 {
  return i16x8.shr_u(i16x8.mul(i8x16.swizzle(i64x2.splat(bits), pairs), shifts), 7);
}

/** In each even byte the bit of that position within its byte. */
// @ts-ignore: decorator
@inline export function bitsAt(places: v128, sevens: v128, powers: v128): v128 {
  return i8x16.swizzle(powers, v128.and(places, sevens));
}

/** In each even byte the byte of the line that position is in. A swizzle gives 0 for what lies beyond its 16 bytes. */
// @ts-ignore: decorator
@inline export function bytesAt(line: usize, places: v128, quarter: v128): v128 {
  const first = i16x8.shr_u(places, 3);
  const second = i8x16.sub(first, quarter);
  const third = i8x16.sub(second, quarter);
  const fourth = i8x16.sub(third, quarter);
  return v128.or(
    v128.or(i8x16.swizzle(v128.load(line), first), i8x16.swizzle(v128.load(line, 16), second)),
    v128.or(i8x16.swizzle(v128.load(line, 32), third), i8x16.swizzle(v128.load(line, 48), fourth)),
  );
}

/** Are the first k positions set, or all seven? */
// @ts-ignore: decorator
@inline export function testLanes(line: usize, bits: u64, k: u32): bool {
  const places = positions(bits, pairs(), shifts());
  const wanted = v128.and(bitsAt(places, sevens(), powers()), lanes(k));
  return !v128.any_true(v128.andnot(wanted, bytesAt(line, places, quarters())));
}
