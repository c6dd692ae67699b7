// MurmurHash2 (Austin Appleby, public domain): MurmurHash64A, which RedisBloom uses, and the 32-bit function that its
// first versions used.

// @ts-ignore: decorator
@inline export const M64: u64 = 0xc6a4a7935bd1e995;
// @ts-ignore: decorator
@inline const M32: u32 = 0x5bd1e995;

export function murmur64A(key: usize, length: u32, seed: u64): u64 {
  let h = seed ^ (<u64>length * M64);
  const rest = length & 7;
  for (const whole = key + length - rest; key < whole; key += 8) {
    let k = load<u64>(key, 0, 1) * M64;
    k = (k ^ (k >>> 47)) * M64;
    h = (h ^ k) * M64;
  }
  if (rest) {
    // May read up to 7 bytes in front of the key, as in murmur3.ts.
    h = (h ^ (load<u64>(key + rest - 8, 0, 1) >>> ((8 - rest) << 3))) * M64;
  }
  h = (h ^ (h >>> 47)) * M64;
  return h ^ (h >>> 47);
}

export function murmur32(key: usize, length: u32, seed: u32): u32 {
  let h = seed ^ length;
  const rest = length & 3;
  for (const whole = key + length - rest; key < whole; key += 4) {
    let k = load<u32>(key, 0, 1) * M32;
    k = (k ^ (k >>> 24)) * M32;
    h = (h * M32) ^ k;
  }
  if (rest) h = (h ^ (load<u32>(key + rest - 4, 0, 1) >>> ((4 - rest) << 3))) * M32;
  h = (h ^ (h >>> 13)) * M32;
  return h ^ (h >>> 15);
}
