// From a hashed key to the kind of filter it is put to. A build holds one family of kinds, which its entry names in the
// global FAMILY; what the other families need is not compiled.

import * as bloom from "./bloom";

/** Any word of every line the key may touch, to bring them into the cache. */
// @ts-ignore: decorator
@inline export function touchHashed(filter: usize, h1: u64, h2: u64): u32 {
  return bloom.touch(filter, h1);
}

export function hasHashed(filter: usize, h1: u64, h2: u64): u32 {
  return bloom.has(filter, h1, h2);
}

/** Returns 0 where nothing changed. */
export function addHashed(filter: usize, h1: u64, h2: u64): u32 {
  return bloom.add(filter, h1, h2);
}
