// Where a key's bits lie in the partitioned Bloom filter: one in each of k slices of s bits.
//
// The place in the next slice comes of x * C + h2, so that every bit of the 128-bit hash has a say in it. Not of
// h1 + i*h2: two keys that agree in two slices would agree in all of them. That is one pair of keys in s^2, and at a rate
// of 1e-6 and a million keys it would add half the rate.

// @ts-ignore: decorator
@inline export function next(x: u64, h2: u64): u64 {
  return x * 0x9e3779b97f4a7c15 + h2;
}

/** x / 2^64 of n: the high word of their product, n below 2^32. */
// @ts-ignore: decorator
@inline export function placeOf(x: u64, n: u64): u64 {
  return ((x >>> 32) * n + (((x & 0xffffffff) * n) >>> 32)) >>> 32;
}
