// From many keys to many answers, as hash -> touch -> probe. WebAssembly has no prefetch, so the second pass merely loads
// one word of every key's line and lets the processor overlap the misses. On a 512 MiB filter 24-30 ns a key against
// 97-130 without it; reading random lines and doing nothing else takes 22.
//
// The hashes lie in memory between the passes, 16 bytes each: h1, h2. So they serve many filters, and hashing can be
// done on another memory than probing.

import { ADD, HAS } from "./actions";
import { CORE, DELETING } from "./families";
import { actInBatch, touchHashed, touchPays } from "./kinds";
import { isFull } from "./deleting-kinds";
import { INLINE } from "./inline";
import { join } from "./keys";
import { murmur3At, murmur3IntAt } from "./murmur3";

// @ts-ignore: decorator
@inline const HASH: usize = 16;

/** How many lines are touched before they are probed: enough to overlap, few enough to stay in the first-level cache. */
// @ts-ignore: decorator
@inline const GROUP: usize = 128 * HASH;

/** Key i is the bytes from keys + offsets[i] to keys + offsets[i + 1]. */
export function hashKeys(keys: usize, offsets: usize, n: u32, seedLow: u32, seedHigh: u32, hashes: usize): void {
  const seed = join(seedLow, seedHigh);
  let from = load<u32>(offsets);
  for (const end = hashes + <usize>n * HASH; hashes < end; hashes += HASH) {
    offsets += 4;
    const to = load<u32>(offsets);
    murmur3At(keys + from, to - from, seed, hashes);
    from = to;
  }
}

/** Keys are 64-bit integers. */
export function hashInts(keys: usize, n: u32, seedLow: u32, seedHigh: u32, hashes: usize): void {
  const seed = join(seedLow, seedHigh);
  for (const end = hashes + <usize>n * HASH; hashes < end; hashes += HASH) {
    murmur3IntAt(load<u64>(keys), seed, hashes);
    keys += 8;
  }
}

/** out[i] = 1 where the action says yes to hash i, else 0. Returns how many times it did. Ends where the filter is full. */
export function actHashes(filter: usize, hashes: usize, n: u32, out: usize, action: u32): u32 {
  return INLINE && action == HAS ? askEach(filter, hashes, n, out) : actEach(filter, hashes, n, out, action);
}

// @ts-ignore: decorator
@inline function touch(filter: usize, hashes: usize, end: usize): u32 {
  let sum: u32 = 0;
  for (; hashes < end; hashes += HASH) sum += touchHashed(filter, hashes);
  return sum;
}

// Asking has a function of its own: with all in one, V8 runs out of registers, and an integer takes 14.5 ns instead of 13.6.

function askEach(filter: usize, hashes: usize, n: u32, out: usize): u32 {
  return eachInline(filter, hashes, n, out, HAS);
}

/** A BloomFilter can only be asked and added to. */
function actEach(filter: usize, hashes: usize, n: u32, out: usize, action: u32): u32 {
  return eachInline(filter, hashes, n, out, INLINE && FAMILY == CORE ? ADD : action);
}

// @ts-ignore: decorator
@inline function eachInline(filter: usize, hashes: usize, n: u32, out: usize, action: u32): u32 {
  let all: u32 = 0;
  for (const end = hashes + <usize>n * HASH; hashes < end; ) {
    const groupEnd = min(hashes + GROUP, end);
    // Only what is kept is not optimised away; the answers go over it.
    if (INLINE && touchPays(filter, action)) store<u8>(out, touch(filter, hashes, groupEnd));
    for (; hashes < groupEnd; hashes += HASH) {
      const yes = u32(actInBatch(filter, load<u64>(hashes), load<u64>(hashes, 8), action) != 0);
      if (FAMILY == DELETING) if (!yes && isFull(filter, action)) return all;
      store<u8>(out, yes);
      all += yes;
      out++;
    }
  }
  return all;
}
