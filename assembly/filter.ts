// What a kernel knows of a filter: a 64-byte head and, right behind it, the lines.
//
//   +7  u8  hashes   positions a key owns
//   +8  u32 lines    how many lines follow
//   +16 u64 seed     of the hash
//   +40 u64 ones     how many bits are set (in shared builds, where useCounter says instead)

// @ts-ignore: decorator
@inline export const HEAD: usize = 64;

// @ts-ignore: decorator
@inline export function hashesOf(filter: usize): u32 {
  return load<u8>(filter, 7);
}

// @ts-ignore: decorator
@inline export function linesOf(filter: usize): u32 {
  return load<u32>(filter, 8);
}

// @ts-ignore: decorator
@inline export function seedOf(filter: usize): u64 {
  return load<u64>(filter, 16);
}

let counter: usize = 0;

/**
 * Shared builds count bits at `at`, of which there are several to a filter: one common counter would pull its cache line
 * from core to core with every add.
 */
export function useCounter(at: usize): void {
  counter = at;
}

/** Keeps the number of set bits, so that `count` needs no scan. */
// @ts-ignore: decorator
@inline export function countOnes(filter: usize, more: i32): void {
  if (ASC_FEATURE_THREADS) {
    if (more) atomic.add<i64>(counter, more);
  } else {
    store<i64>(filter, load<i64>(filter, 40) + more, 40);
  }
}
