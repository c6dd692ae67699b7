// What a kernel knows of a filter: a 64-byte head and, right behind it, the lines.
//
//   +5  u8  kind
//   +7  u8  hashes   positions a key owns
//   +8  u32 lines    how many lines follow
//   +16 u64 seed     of the hash
//   +12 u32 detail   for the kind, as is +56
//   +40 i64 tally    bits that are set, or items (on shared memory, where useCounter says instead); negative: unknown

// @ts-ignore: decorator
@inline export const HEAD: usize = 64;

// @ts-ignore: decorator
@inline export function kindOf(filter: usize): u32 {
  return load<u8>(filter, 5);
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

// @ts-ignore: decorator
@inline export function detailOf(filter: usize): u32 {
  return load<u32>(filter, 12);
}

// @ts-ignore: decorator
@inline export function detail2Of(filter: usize): u32 {
  return load<u32>(filter, 56);
}

let counter: usize = 0;

/**
 * On shared memory, where to keep the tally. A filter has several such places: a common one would pull its cache line
 * from core to core with every add.
 */
export function useCounter(at: usize): void {
  counter = at;
}

/** Whether other threads may write too. */
// @ts-ignore: decorator
@inline export function isShared(): bool {
  return ASC_FEATURE_THREADS && counter != 0;
}

/** Keeps the tally. */
// @ts-ignore: decorator
@inline export function count(filter: usize, more: i32): void {
  if (isShared()) {
    if (ASC_FEATURE_THREADS) atomic.add<i64>(counter, more);
  } else {
    store<i64>(filter, load<i64>(filter, 40) + more, 40);
  }
}

/** Makes the tally negative: unknown until someone asks and counts. Bits are not worth counting as they are set. */
// @ts-ignore: decorator
@inline export function loseCount(filter: usize): void {
  store<i32>(filter, -1, 44);
}

/** What this thread has counted; on private memory, all there is. */
// @ts-ignore: decorator
@inline export function tallyOf(filter: usize): u64 {
  return load<u64>(isShared() ? counter : filter + 40);
}
