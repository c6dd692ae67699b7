// The kinds of the frozen family, by the number in the filter's head.

import * as approximator from "./approximator";
import * as bank from "./bank";
import * as bloomier from "./bloomier";
import * as fuse from "./fuse";
import * as golomb from "./golomb";
import { join } from "./keys";

// @ts-ignore: decorator
@inline export const FUSE: u8 = 11;
// @ts-ignore: decorator
@inline const GOLOMB: u8 = 12;
// @ts-ignore: decorator
@inline const BLOOMIER: u8 = 13;
// @ts-ignore: decorator
@inline const APPROXIMATOR: u8 = 14;

/** The slots of a fuse filter are read without a branch: 52 ns a key of 256 MiB untouched, and 57 touched. */
// @ts-ignore: decorator
@inline export function touchPays(filter: usize): bool {
  const kind = load<u8>(filter, 5);
  return kind != FUSE && kind != BLOOMIER;
}

// @ts-ignore: decorator
@inline export function touch(filter: usize, h1: u64, h2: u64): u32 {
  const kind = load<u8>(filter, 5);
  if (kind == GOLOMB) return golomb.touch(filter, h1);
  return kind == APPROXIMATOR ? approximator.touch(filter, h1, h2) : bank.touch(filter, h1, h2);
}

// @ts-ignore: decorator
@inline export function has(filter: usize, h1: u64, h2: u64): u32 {
  const kind = load<u8>(filter, 5);
  if (kind == FUSE) return fuse.has(filter, h1);
  if (kind == GOLOMB) return golomb.has(filter, h1);
  if (kind == BLOOMIER) return u32(bloomier.get(filter, h1) >= 0);
  return kind == APPROXIMATOR ? u32(approximator.get(filter, h1, h2) != 0) : bank.has(filter, h1, h2);
}

/** The value of a key in a map or an approximator; -1 where a map has none. */
export function getHash(filter: usize, low1: u32, high1: u32, low2: u32, high2: u32): f64 {
  const h1 = join(low1, high1);
  if (load<u8>(filter, 5) == BLOOMIER) return bloomier.get(filter, h1);
  return approximator.get(filter, h1, join(low2, high2));
}

/** Raises a key's cells in an approximator; 0 where they were high enough. */
export function putHash(filter: usize, low1: u32, high1: u32, low2: u32, high2: u32, value: u32): u32 {
  return approximator.put(filter, join(low1, high1), join(low2, high2), value);
}

/** Adds a key to one filter of a bank; 0 where nothing changed. */
export function addHashAt(filter: usize, low1: u32, high1: u32, low2: u32, high2: u32, place: u32): u32 {
  return bank.add(filter, join(low1, high1), join(low2, high2), place);
}

/** Which of the 32 filters from 32 · index on may hold the key, a bit each. */
export function whichWord(filter: usize, low1: u32, high1: u32, low2: u32, high2: u32, index: u32): u32 {
  return bank.word(filter, join(low1, high1), join(low2, high2), index);
}

/** Which filters may hold the key, a bit each, at `out`. */
export function which(filter: usize, low1: u32, high1: u32, low2: u32, high2: u32, out: usize): void {
  bank.which(filter, join(low1, high1), join(low2, high2), out);
}
