// The cache-line Bloom filter: the high half of h1 picks a line, h2 picks k bits in it.
// Taking line and bits from one 64-bit hash instead raises the rate by 29 % (measured).

import { countOnes, HEAD, hashesOf, linesOf, maskLine, probesAt, seedOf, sink } from "./filter";
import { set, setAtomic, test } from "./line";
import { h1, h2, murmur3, murmur3Int } from "./murmur3";

/**
 * Keys per group of a batch. A batch goes hash -> touch -> probe: WebAssembly has no prefetch, so the second pass loads
 * one word of every key's line and lets the processor overlap the misses. On a 512 MiB filter 24-30 ns a key against
 * 97-130 without it; reading random lines and doing nothing else takes 22.
 */
// @ts-ignore: decorator
@inline const GROUP: u32 = 128;

/** A hashed key between the passes: u32 address of its line, u64 of bits. */
// @ts-ignore: decorator
@inline const PROBE: usize = 16;

/** The line of the key hashed last: multiply and shift instead of a division. */
// @ts-ignore: decorator
@inline function lineOf(filter: usize): usize {
  return filter + HEAD + <usize>((((h1 >>> 32) * linesOf(filter)) >>> 32) << 6);
}

// @ts-ignore: decorator
@inline function setBits(line: usize, bits: u64, k: u32): u32 {
  return ASC_FEATURE_THREADS ? setAtomic(line, bits, k, maskLine()) : set(line, bits, k);
}

/** For the key hashed last. */
function hasHashed(filter: usize): u32 {
  return test(lineOf(filter), h2, hashesOf(filter));
}

/** For the key hashed last: how many bits were new. */
function addHashed(filter: usize): u32 {
  const fresh = setBits(lineOf(filter), h2, hashesOf(filter));
  countOnes(filter, fresh);
  return fresh;
}

export function has(filter: usize, key: usize, length: u32): u32 {
  murmur3(key, length, seedOf(filter));
  return hasHashed(filter);
}

export function add(filter: usize, key: usize, length: u32): u32 {
  murmur3(key, length, seedOf(filter));
  return addHashed(filter);
}

// An integer comes in two halves: a 64-bit parameter would be a BigInt on the JavaScript side.

export function hasInt(filter: usize, low: u32, high: u32): u32 {
  murmur3Int((<u64>high << 32) | low, seedOf(filter));
  return hasHashed(filter);
}

export function addInt(filter: usize, low: u32, high: u32): u32 {
  murmur3Int((<u64>high << 32) | low, seedOf(filter));
  return addHashed(filter);
}

// Hash once, ask many: the 16 bytes of a hash at `hash`.

export function hash(filter: usize, key: usize, length: u32, hash: usize): void {
  murmur3(key, length, seedOf(filter));
  store<u64>(hash, h1);
  store<u64>(hash, h2, 8);
}

export function hasHash(filter: usize, hash: usize): u32 {
  h1 = load<u64>(hash);
  h2 = load<u64>(hash, 8);
  return hasHashed(filter);
}

export function addHash(filter: usize, hash: usize): u32 {
  h1 = load<u64>(hash);
  h2 = load<u64>(hash, 8);
  return addHashed(filter);
}

// Batches.

// @ts-ignore: decorator
@inline function keepProbe(filter: usize, at: usize): void {
  store<u32>(at, <u32>lineOf(filter));
  store<u64>(at, h2, 8);
}

function hashKeys(filter: usize, keys: usize, offsets: usize, n: u32): void {
  const seed = seedOf(filter);
  const end = probesAt() + <usize>n * PROBE;
  let from = load<u32>(offsets);
  for (let at = probesAt(); at < end; at += PROBE) {
    offsets += 4;
    const to = load<u32>(offsets);
    murmur3(keys + from, to - from, seed);
    keepProbe(filter, at);
    from = to;
  }
}

function hashInts(filter: usize, keys: usize, n: u32): void {
  const seed = seedOf(filter);
  const end = probesAt() + <usize>n * PROBE;
  for (let at = probesAt(); at < end; at += PROBE) {
    murmur3Int(load<u64>(keys), seed);
    keepProbe(filter, at);
    keys += 8;
  }
}

function touch(n: u32): void {
  const end = probesAt() + <usize>n * PROBE;
  let sum: u32 = 0;
  for (let at = probesAt(); at < end; at += PROBE) sum += load<u32>(load<u32>(at));
  sink(sum);
}

function testGroup(k: u32, n: u32, out: usize): void {
  touch(n);
  const end = probesAt() + <usize>n * PROBE;
  for (let at = probesAt(); at < end; at += PROBE) {
    store<u8>(out, test(load<u32>(at), load<u64>(at, 8), k));
    out++;
  }
}

function setGroup(filter: usize, n: u32): u32 {
  touch(n);
  const k = hashesOf(filter);
  const end = probesAt() + <usize>n * PROBE;
  let changed: u32 = 0;
  let fresh: u32 = 0;
  for (let at = probesAt(); at < end; at += PROBE) {
    const more = setBits(load<u32>(at), load<u64>(at, 8), k);
    fresh += more;
    changed += u32(more != 0);
  }
  countOnes(filter, fresh);
  return changed;
}

/** Key i is the bytes from keys + offsets[i] to keys + offsets[i + 1]; its answer is out[i]. */
export function hasMany(filter: usize, keys: usize, offsets: usize, n: u32, out: usize): void {
  for (let from: u32 = 0; from < n; from += GROUP) {
    const group = min(GROUP, n - from);
    hashKeys(filter, keys, offsets + (from << 2), group);
    testGroup(hashesOf(filter), group, out + from);
  }
}

/** Returns how many of the keys changed the filter. */
export function addMany(filter: usize, keys: usize, offsets: usize, n: u32): u32 {
  let changed: u32 = 0;
  for (let from: u32 = 0; from < n; from += GROUP) {
    const group = min(GROUP, n - from);
    hashKeys(filter, keys, offsets + (from << 2), group);
    changed += setGroup(filter, group);
  }
  return changed;
}

/** Keys are 64-bit integers at `keys`. */
export function hasInts(filter: usize, keys: usize, n: u32, out: usize): void {
  for (let from: u32 = 0; from < n; from += GROUP) {
    const group = min(GROUP, n - from);
    hashInts(filter, keys + (from << 3), group);
    testGroup(hashesOf(filter), group, out + from);
  }
}

export function addInts(filter: usize, keys: usize, n: u32): u32 {
  let changed: u32 = 0;
  for (let from: u32 = 0; from < n; from += GROUP) {
    const group = min(GROUP, n - from);
    hashInts(filter, keys + (from << 3), group);
    changed += setGroup(filter, group);
  }
  return changed;
}
