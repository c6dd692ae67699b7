// The floor under every batched lookup: load one word of each of `count` random lines, and nothing else.

/** `lines` must be a power of two; returns the sum, so that no load can be dropped. */
export function probe(lines: u32, count: u32, seed: u32): u64 {
  const mask = lines - 1;
  let x = seed;
  let sum: u64 = 0;
  for (let i: u32 = 0; i < count; i++) {
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    sum += load<u64>((<usize>(x & mask)) << 6);
  }
  return sum;
}
