// From a hashed key to the kind of filter it is put to. A build holds one family of kinds, which its entry names in the
// global FAMILY; what the other families need is not compiled.

import { HAS } from "./actions";
import { CLASSIC, CORE, DELETING, FOREIGN, FROZEN } from "./families";
import { linesOf } from "./filter";
import * as bloom from "./bloom";
import * as classic from "./classic-kinds";
import * as deleting from "./deleting-kinds";
import * as frozen from "./frozen-kinds";
import * as foreign from "./foreign-kinds";

// @ts-ignore: decorator
@inline const LINES_16_MIB: u32 = 1 << 18;

/**
 * Whether touching pays. It does where a lookup has one way out that depends on one miss: what is guessed wrong there holds
 * up the next key. Where a key has many lines, the processor overlaps their misses by itself, and finding the lines twice
 * costs more: a classic filter of 1 MiB answers in 22 ns untouched and 36 touched, one of 256 MiB in 129 and 153. Adding to
 * it took 32 and 45, but 183 and 168, with the turn at 16 MiB.
 */
// @ts-ignore: decorator
@inline export function touchPays(filter: usize, action: u32): bool {
  if (FAMILY == CLASSIC || FAMILY == FOREIGN) return action != HAS && linesOf(filter) >= LINES_16_MIB;
  return FAMILY != FROZEN || frozen.touchPays(filter);
}

/** Any word of every line that the key may touch whose hash lies at `hash`, to bring them into the cache. */
// @ts-ignore: decorator
@inline export function touchHashed(filter: usize, hash: usize): u32 {
  const h1 = load<u64>(hash);
  if (FAMILY == CORE) return bloom.touch(filter, linesOf(filter), h1);
  const h2 = load<u64>(hash, 8);
  if (FAMILY == CLASSIC) return classic.touch(filter, h1, h2);
  if (FAMILY == DELETING) return deleting.touch(filter, h1, h2);
  if (FAMILY == FROZEN) return frozen.touch(filter, h1, h2);
  return foreign.touch(filter, h1, h2);
}

/** HAS: whether the key may be there. ADD: whether it changed the filter. DELETE: whether it was there. */
export function actHashed(filter: usize, h1: u64, h2: u64, action: u32): u32 {
  return actInline(filter, h1, h2, action);
}

// @ts-ignore: decorator
@inline export function actInline(filter: usize, h1: u64, h2: u64, action: u32): u32 {
  if (FAMILY == CLASSIC) return classic.act(filter, h1, h2, action);
  if (FAMILY == DELETING) return deleting.act(filter, h1, h2, action);
  if (FAMILY == FROZEN) return frozen.has(filter, h1, h2);
  if (FAMILY == FOREIGN) return foreign.act(filter, h1, h2, action);
  return bloom.act(filter, h1, h2, action);
}
