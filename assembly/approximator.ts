// The compact approximator (Boldi and Vigna, 2004): a Bloom filter whose bits are numbers. A key raises k cells to at
// least its value, and reads the least of them: never below what was put, and above it only where others raised them
// all. Cells are of 8 or 16 bits, anywhere: a line would hold too few of them to keep the rate.
//
//   +12 u32 bits of a cell
//   +56 u32 cells

import { HEAD, hashesOf, isShared } from "./filter";
import { remix } from "./line";

/** Where cell i of a key lies: it comes from quarter i of the hash, 32 bits each; after four of them the hash is remixed. */
// @ts-ignore: decorator
@inline function cellAt(filter: usize, i: u32, h1: u64, h2: u64, shift: usize): usize {
  const half = i & 2 ? h2 : h1;
  const quarter = (i & 1 ? half : half >>> 32) & 0xffffffff;
  return filter + HEAD + (<usize>((quarter * load<u32>(filter, 56)) >>> 32) << shift);
}

// @ts-ignore: decorator
@inline function least<T>(filter: usize, h1: u64, h2: u64): u32 {
  const k = hashesOf(filter);
  let low: u32 = u32.MAX_VALUE;
  for (let i: u32 = 0; i < k; i++) {
    if (i && !(i & 3)) {
      h1 = remix(h1);
      h2 = remix(h2);
    }
    low = min(low, <u32>load<T>(cellAt(filter, i, h1, h2, alignof<T>())));
  }
  return low;
}

// @ts-ignore: decorator
@inline function raise<T>(filter: usize, h1: u64, h2: u64, value: u32): u32 {
  const k = hashesOf(filter);
  let changed: u32 = 0;
  for (let i: u32 = 0; i < k; i++) {
    if (i && !(i & 3)) {
      h1 = remix(h1);
      h2 = remix(h2);
    }
    changed |= raiseCell<T>(cellAt(filter, i, h1, h2, alignof<T>()), value);
  }
  return changed;
}

// @ts-ignore: decorator
@inline function raiseCell<T>(at: usize, value: u32): u32 {
  if (ASC_FEATURE_THREADS && isShared()) {
    let seen = atomic.load<T>(at);
    while (<u32>seen < value) {
      const found = atomic.cmpxchg<T>(at, seen, <T>value);
      if (found == seen) return 1;
      seen = found;
    }
    return 0;
  } else {
    if (<u32>load<T>(at) >= value) return 0;
    store<T>(at, <T>value);
    return 1;
  }
}

export function get(filter: usize, h1: u64, h2: u64): u32 {
  return load<u32>(filter, 12) == 8 ? least<u8>(filter, h1, h2) : least<u16>(filter, h1, h2);
}

/** Returns 0 where nothing changed. */
export function put(filter: usize, h1: u64, h2: u64, value: u32): u32 {
  return load<u32>(filter, 12) == 8 ? raise<u8>(filter, h1, h2, value) : raise<u16>(filter, h1, h2, value);
}

/** The first cells: the rest would cost as much to find as to read. */
// @ts-ignore: decorator
@inline export function touch(filter: usize, h1: u64, h2: u64): u32 {
  const shift: u32 = load<u32>(filter, 12) >>> 4;
  return (
    load<u8>(cellAt(filter, 0, h1, h2, shift)) +
    load<u8>(cellAt(filter, 1, h1, h2, shift)) +
    load<u8>(cellAt(filter, 2, h1, h2, shift)) +
    load<u8>(cellAt(filter, 3, h1, h2, shift))
  );
}
