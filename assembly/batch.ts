// From many keys to many answers, as hash -> touch -> probe. WebAssembly has no prefetch, so the second pass merely loads
// one word of every key's line and lets the processor overlap the misses. On a 512 MiB filter 24-30 ns a key against
// 97-130 without it; reading random lines and doing nothing else takes 22.
//
// The hashes lie in memory between the passes, 16 bytes each: h1, h2. So they serve many filters, and hashing can be
// done on another memory than probing.

import { ADD, HAS } from "./actions";
import { CORE, DELETING } from "./families";
import { actHashed, actInline, touchHashed, touchPays } from "./kinds";
import { isFull } from "./deleting-kinds";
import { hashesOf } from "./filter";
import { GROUP, HASH } from "./hashes";
import { INLINE } from "./inline";
import { join } from "./keys";
import { dropped, eachPlainly, isPlain } from "./plain";
import { SLICES } from "./line";
import { murmur3At, murmur3IntAt } from "./murmur3";

// Every batch has at least one key, and loops ask at their end: then V8 keeps what does not change in registers, the
// constants of hashes and lanes above all. 3.4 ns instead of 4.0 for the hash of an integer, and 5.6 instead of 9.9 for asking.

/** Key i is the bytes from keys + offsets[i] to keys + offsets[i + 1]. */
export function hashKeys(keys: usize, offsets: usize, n: u32, seedLow: u32, seedHigh: u32, hashes: usize): void {
  const seed = join(seedLow, seedHigh);
  const end = hashes + <usize>n * HASH;
  let from = load<u32>(offsets);
  do {
    offsets += 4;
    const to = load<u32>(offsets);
    murmur3At(keys + from, to - from, seed, hashes);
    from = to;
    hashes += HASH;
  } while (hashes < end);
}

/** Keys are 64-bit integers. */
export function hashInts(keys: usize, n: u32, seedLow: u32, seedHigh: u32, hashes: usize): void {
  const seed = join(seedLow, seedHigh);
  const end = hashes + <usize>n * HASH;
  do {
    murmur3IntAt(load<u64>(keys), seed, hashes);
    keys += 8;
    hashes += HASH;
  } while (hashes < end);
}

/** out[i] = 1 where the action says yes to hash i, else 0. Returns how many times it did. Ends where the filter is full. */
export function actHashes(filter: usize, hashes: usize, n: u32, out: usize, action: u32): u32 {
  if (!INLINE) return each(filter, hashes, n, out, action, false);
  if (FAMILY != CORE) return action == HAS ? askEach(filter, hashes, n, out) : actEach(filter, hashes, n, out, action);
  if (action != HAS && !isPlain(filter)) return callEach(filter, hashes, n, out);
  const all = eachPlainly(filter, hashes, n, out, action);
  return hashesOf(filter) <= SLICES ? all : all - dropped(filter, hashes, n, out);
}

// Each has a function of its own: with all in one, V8 runs out of registers.

function askEach(filter: usize, hashes: usize, n: u32, out: usize): u32 {
  return each(filter, hashes, n, out, HAS, true);
}

function actEach(filter: usize, hashes: usize, n: u32, out: usize, action: u32): u32 {
  return each(filter, hashes, n, out, action, true);
}

function callEach(filter: usize, hashes: usize, n: u32, out: usize): u32 {
  return each(filter, hashes, n, out, ADD, false);
}

// @ts-ignore: decorator
@inline function each(filter: usize, hashes: usize, n: u32, out: usize, action: u32, inlined: bool): u32 {
  const end = hashes + <usize>n * HASH;
  let all: u32 = 0;
  while (hashes < end) {
    const groupEnd = INLINE ? min(hashes + GROUP, end) : end;
    // Only what is kept is not optimised away; the answers go over it.
    if (INLINE && touchPays(filter, action)) store<u8>(out, touch(filter, hashes, groupEnd));
    do {
      const h1 = load<u64>(hashes);
      const h2 = load<u64>(hashes, 8);
      const yes = u32((inlined ? actInline(filter, h1, h2, action) : actHashed(filter, h1, h2, action)) != 0);
      if (FAMILY == DELETING) if (!yes && isFull(filter, action)) return all;
      store<u8>(out, yes);
      all += yes;
      out++;
      hashes += HASH;
    } while (hashes < groupEnd);
  }
  return all;
}

// @ts-ignore: decorator
@inline function touch(filter: usize, hashes: usize, end: usize): u32 {
  let sum: u32 = 0;
  do {
    sum += touchHashed(filter, hashes);
    hashes += HASH;
  } while (hashes < end);
  return sum;
}
