// MurmurHash3_x64_128 (Austin Appleby, public domain) with a 64-bit seed: key bytes in linear memory -> h1, h2.
//
// The result lands in two globals because WebAssembly functions return one value; a global costs one store and one
// load, which the hash of the next key hides.
//
// Loads of key bytes carry an alignment hint of 1: wasm2js trusts the hint, and an unaligned load without it silently
// reads the wrong bytes there. In WebAssembly the hint costs nothing on x86-64 and ARM64.

import { INLINE } from "./inline";

// @ts-ignore: decorator
@inline const C1: u64 = 0x87c37b91114253d5;
// @ts-ignore: decorator
@inline const C2: u64 = 0x4cf5ad432745937f;

export let h1: u64 = 0;
export let h2: u64 = 0;

/** Left by n; of a rotl wasm2js makes a call that can rotate by anything. */
// @ts-ignore: decorator
@inline function rotated(x: u64, n: u64): u64 {
  return ASC_FEATURE_SIMD ? rotl(x, n) : (x << n) | (x >>> (64 - n));
}

// @ts-ignore: decorator
@inline function mixLow(k: u64): u64 {
  return rotated(k * C1, 31) * C2;
}

// @ts-ignore: decorator
@inline function mixHigh(k: u64): u64 {
  return rotated(k * C2, 33) * C1;
}

// @ts-ignore: decorator
@inline function avalanche(x: u64): u64 {
  x = (x ^ (x >>> 33)) * 0xff51afd7ed558ccd;
  x = (x ^ (x >>> 33)) * 0xc4ceb9fe1a85ec53;
  return x ^ (x >>> 33);
}

/**
 * The n bytes before `end`, 1 to 8: the whole word there, shifted right, and no byte-by-byte switch. It may read up to
 * 7 bytes in front of the key, so a key must not lie in the first 8 bytes of memory.
 */
// @ts-ignore: decorator
@inline function lastBytes(end: usize, n: u32): u64 {
  return load<u64>(end - 8, 0, 1) >>> ((8 - n) << 3);
}

/** Absorbs `length` bytes into the state (a, b) and leaves it in h1, h2. */
function absorb(key: usize, length: u32, a: u64, b: u64): void {
  const end = key + length;
  const rest = length & 15;
  for (const whole = end - rest; key < whole; key += 16) {
    a = (rotated(a ^ mixLow(load<u64>(key, 0, 1)), 27) + b) * 5 + 0x52dce729;
    b = (rotated(b ^ mixHigh(load<u64>(key, 8, 1)), 31) + a) * 5 + 0x38495ab5;
  }
  if (rest > 8) b ^= mixHigh(lastBytes(end, rest - 8));
  if (rest) a ^= mixLow(rest > 8 ? load<u64>(end - rest, 0, 1) : lastBytes(end, rest));
  h1 = a;
  h2 = b;
}

/** Turns the state (a, b) after `length` bytes into the hash. */
function finish(a: u64, b: u64, length: u64): void {
  const tail = tailOf(a ^ length, b ^ length);
  h1 = headOf(a ^ length, b ^ length) + tail;
  h2 = h1 + tail;
}

// The last steps, from a state that has taken in the length: h1 = head + tail, h2 = h1 + tail.

// @ts-ignore: decorator
@inline function headOf(a: u64, b: u64): u64 {
  return avalanche(a + b);
}

// @ts-ignore: decorator
@inline function tailOf(a: u64, b: u64): u64 {
  return avalanche(a + b + b);
}

/** Hashes `length` bytes at `key`. */
// @ts-ignore: decorator
@inline export function murmur3(key: usize, length: u32, seed: u64): void {
  absorb(key, length, seed, seed);
  finish(h1, h2, length);
}

/** Hashes the 8 little-endian bytes of an integer, straight from a register. */
// @ts-ignore: decorator
@inline export function murmur3Int(key: u64, seed: u64): void {
  finish(seed ^ mixLow(key), seed, 8);
}

// The same in a batch, where the hash goes to `at`: the last steps are inlined and need no globals, which takes 3.9 ns for an
// integer instead of 4.7. Inlining `absorb` too would cost more bytes than a page has for it.

// @ts-ignore: decorator
@inline export function murmur3At(key: usize, length: u32, seed: u64, at: usize): void {
  if (INLINE) {
    absorb(key, length, seed, seed);
    finishAt(h1 ^ length, h2 ^ length, at);
  } else {
    murmur3(key, length, seed);
    keepHash(at);
  }
}

// @ts-ignore: decorator
@inline export function murmur3IntAt(key: u64, seed: u64, at: usize): void {
  if (INLINE) {
    finishAt(seed ^ mixLow(key) ^ 8, seed ^ 8, at);
  } else {
    murmur3Int(key, seed);
    keepHash(at);
  }
}

// @ts-ignore: decorator
@inline function finishAt(a: u64, b: u64, at: usize): void {
  const tail = tailOf(a, b);
  const first = headOf(a, b) + tail;
  store<u64>(at, first);
  store<u64>(at, first + tail, 8);
}

// A key of many pieces, its state (h1, h2) in memory between them. All pieces but the last are multiples of 16 bytes.

export function hashPiece(state: usize, bytes: usize, length: u32): void {
  absorb(bytes, length, load<u64>(state), load<u64>(state, 8));
  keepHash(state);
}

/** After the last piece, of a key of `total` bytes. */
export function hashEnd(state: usize, total: u32): void {
  finish(load<u64>(state), load<u64>(state, 8), total);
  keepHash(state);
}

/** Stores the hash made last. */
// @ts-ignore: decorator
@inline export function keepHash(at: usize): void {
  store<u64>(at, h1);
  store<u64>(at, h2, 8);
}
