// From a hashed key to one of the deleting filters, or to what a counting one is compacted to.

import { ADD, DELETE, HAS } from "./actions";
import * as bloom from "./bloom";
import * as compact from "./compact";
import * as counting from "./counting";
import * as cuckoo from "./cuckoo";
import { isShared, kindOf, linesOf } from "./filter";
import * as quotient from "./quotient";

// @ts-ignore: decorator
@inline const COUNTING: u32 = 4;
// @ts-ignore: decorator
@inline const CUCKOO: u32 = 6;
// @ts-ignore: decorator
@inline const QUOTIENT: u32 = 7;

// @ts-ignore: decorator
@inline export function touch(filter: usize, h1: u64, h2: u64): u32 {
  const kind = kindOf(filter);
  if (kind == COUNTING) return bloom.touch(filter, linesOf(filter), h1);
  if (kind == CUCKOO) return cuckoo.touch(filter, h1, h2);
  if (kind == QUOTIENT) return quotient.touch(filter, h1);
  return compact.touch(filter, h1);
}

// @ts-ignore: decorator
@inline export function act(filter: usize, h1: u64, h2: u64, action: u32): u32 {
  const kind = kindOf(filter);
  if (action == HAS) {
    if (kind == COUNTING) return counting.has(filter, h1, h2);
    if (kind == CUCKOO) return cuckoo.has(filter, h1, h2);
    if (kind == QUOTIENT) return quotient.has(filter, h1);
    return compact.has(filter, h1, h2);
  }
  if (kind == COUNTING) return action == ADD ? counting.add(filter, h1, h2) : counting.remove(filter, h1, h2);
  if (kind == CUCKOO || kind == QUOTIENT) {
    // They move what they hold: a thread that asks meanwhile could miss a key.
    if (isShared()) return 0;
    if (kind == CUCKOO) return action == ADD ? cuckoo.add(filter, h1, h2) : cuckoo.remove(filter, h1, h2);
    return action == ADD ? quotient.add(filter, h1) : quotient.remove(filter, h1);
  }
  return action == DELETE ? 0 : compact.add(filter, h1, h2);
}

/** Whether an action that said no means that nothing more goes in. */
// @ts-ignore: decorator
@inline export function isFull(filter: usize, action: u32): bool {
  const kind = kindOf(filter);
  return action == ADD && (kind == CUCKOO || kind == QUOTIENT);
}

/** How many slots are full, of a filter that has slots. */
export function census(filter: usize, end: usize): u32 {
  return kindOf(filter) == CUCKOO ? cuckoo.census(filter, end) : quotient.census(filter, end);
}
