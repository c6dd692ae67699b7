// From a hashed key to the kind of filter it is put to. A build holds one family of kinds, which its entry names in the
// global FAMILY; what the other families need is not compiled.

import * as bloom from "./bloom";

/** Any word of every line the key may touch, to bring them into the cache. */
// @ts-ignore: decorator
@inline export function touchHashed(filter: usize, h1: u64, h2: u64): u32 {
  return bloom.touch(filter, h1);
}

/** HAS: whether the key may be there. ADD: whether it changed the filter. */
export function actHashed(filter: usize, h1: u64, h2: u64, action: u32): u32 {
  return bloom.act(filter, h1, h2, action);
}
