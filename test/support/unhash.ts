// MurmurHash3 backwards: the 16-byte key that has a given hash. So an adversary makes collisions, and so do tests.

const WORD = 2n ** 64n;
const wrap = (x: bigint) => BigInt.asUintN(64, x);
const rotr = (x: bigint, by: bigint) => wrap(x << (64n - by)) | (x >> by);

/** x · inverse(x) = 1 modulo 2^64, by Newton's method: each step doubles the right bits. */
function inverse(x: bigint): bigint {
  let y = x;
  for (let i = 0; i < 6; i++) y = wrap(y * (2n - x * y));
  return y;
}

const C1 = inverse(0x87c37b91114253d5n);
const C2 = inverse(0x4cf5ad432745937fn);
const FIFTH = inverse(5n);

function unfold(x: bigint): bigint {
  return x ^ (x >> 33n);
}

function unavalanche(x: bigint): bigint {
  x = wrap(unfold(x) * inverse(0xc4ceb9fe1a85ec53n));
  x = wrap(unfold(x) * inverse(0xff51afd7ed558ccdn));
  return unfold(x);
}

/** The key of 16 bytes whose hash under the seed is h1, h2. */
export function keyOf(h1: bigint, h2: bigint, seed = 0n): Uint8Array {
  let b = wrap(h2 - h1);
  let a = unavalanche(wrap(h1 - b));
  b = unavalanche(b);
  b = wrap(b - a);
  a = wrap(a - b);
  a ^= 16n;
  b ^= 16n;
  b = rotr(wrap((b - 0x38495ab5n + WORD) * FIFTH - a), 31n) ^ seed;
  a = rotr(wrap((a - 0x52dce729n + WORD) * FIFTH - seed), 27n) ^ seed;
  const key = new Uint8Array(16);
  const view = new DataView(key.buffer);
  view.setBigUint64(0, wrap(rotr(wrap(a * C2), 31n) * C1), true);
  view.setBigUint64(8, wrap(rotr(wrap(b * C1), 33n) * C2), true);
  return key;
}
