// What a kernel knows of a filter: a 64-byte head and, right behind it, the lines.
//
//   +7  u8  hashes   positions a key owns
//   +8  u32 lines    how many lines follow
//   +16 u64 seed     of the hash
//   +40 u64 ones     how many bits are set
//
// And of its instance: a scratch area of its own, so that threads on one memory do not meet there.

// @ts-ignore: decorator
@inline export const HEAD: usize = 64;

/** Layout of the scratch area; src/engine/layout.ts knows it too. */
// @ts-ignore: decorator
@inline const SINK: usize = 8; // u32: where touched words go, so that touching is not optimised away
// @ts-ignore: decorator
@inline const MASK: usize = 64; // one line
// @ts-ignore: decorator
@inline const PROBES: usize = 128; // the probes of one group

let scratch: usize = 0;

/** Tells the instance where its scratch area lies: 64-byte aligned, and nobody else's. */
export function useScratch(at: usize): void {
  scratch = at;
}

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

/** Keeps the number of set bits, so that `count` needs no scan. */
// @ts-ignore: decorator
@inline export function countOnes(filter: usize, more: i32): void {
  if (ASC_FEATURE_THREADS) {
    if (more) atomic.add<i64>(filter, more, 40);
  } else {
    store<i64>(filter, load<i64>(filter, 40) + more, 40);
  }
}

// @ts-ignore: decorator
@inline export function maskLine(): usize {
  return scratch + MASK;
}

// @ts-ignore: decorator
@inline export function probesAt(): usize {
  return scratch + PROBES;
}

// @ts-ignore: decorator
@inline export function sink(value: u32): void {
  store<u32>(scratch + SINK, value);
}
