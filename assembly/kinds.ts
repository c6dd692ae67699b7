// From a hashed key to the kind of filter it is put to. A build holds one family of kinds, which its entry names in the
// global FAMILY; what the other families need is not compiled.

import { HAS } from "./actions";
import * as bloom from "./bloom";
import { kindOf } from "./filter";
import * as scatter from "./scatter";
import * as stable from "./stable";

/** The family of this name, and its kinds but for the classic filter itself. */
// @ts-ignore: decorator
@inline const CLASSIC: i32 = 1;
// @ts-ignore: decorator
@inline const PARTITIONED: u32 = 3;
// @ts-ignore: decorator
@inline const STABLE: u32 = 8;

/** Any word of every line the key may touch, to bring them into the cache. */
// @ts-ignore: decorator
@inline export function touchHashed(filter: usize, h1: u64, h2: u64): u32 {
  if (FAMILY == CLASSIC) {
    const kind = kindOf(filter);
    if (kind == PARTITIONED) return scatter.touch(true, filter, h1, h2);
    if (kind == STABLE) return stable.touch(filter, h1, h2);
    return scatter.touch(false, filter, h1, h2);
  }
  return bloom.touch(filter, h1);
}

/** HAS: whether the key may be there. ADD: whether it changed the filter. */
export function actHashed(filter: usize, h1: u64, h2: u64, action: u32): u32 {
  if (FAMILY == CLASSIC) {
    const kind = kindOf(filter);
    if (kind == PARTITIONED) return action == HAS ? scatter.has(true, filter, h1, h2) : scatter.add(true, filter, h1, h2);
    if (kind == STABLE) return action == HAS ? stable.has(filter, h1, h2) : stable.add(filter, h1, h2);
    return action == HAS ? scatter.has(false, filter, h1, h2) : scatter.add(false, filter, h1, h2);
  }
  return bloom.act(filter, h1, h2, action);
}
