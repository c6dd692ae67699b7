// The kinds of the family classic: the classic filter itself, and those below.

import { HAS } from "./actions";
import { kindOf } from "./filter";
import * as scatter from "./scatter";
import * as stable from "./stable";

// @ts-ignore: decorator
@inline const PARTITIONED: u32 = 3;
// @ts-ignore: decorator
@inline const STABLE: u32 = 8;

// @ts-ignore: decorator
@inline export function touch(filter: usize, h1: u64, h2: u64): u32 {
  const kind = kindOf(filter);
  if (kind == PARTITIONED) return scatter.touch(true, filter, h1, h2);
  if (kind == STABLE) return stable.touch(filter, h1, h2);
  return scatter.touch(false, filter, h1, h2);
}

// @ts-ignore: decorator
@inline export function act(filter: usize, h1: u64, h2: u64, action: u32): u32 {
  const kind = kindOf(filter);
  if (kind == PARTITIONED) return action == HAS ? scatter.has(true, filter, h1, h2) : scatter.add(true, filter, h1, h2);
  if (kind == STABLE) return action == HAS ? stable.has(filter, h1, h2) : stable.add(filter, h1, h2);
  return action == HAS ? scatter.has(false, filter, h1, h2) : scatter.add(false, filter, h1, h2);
}
