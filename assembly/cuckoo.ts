// The cuckoo filter: a key is a fingerprint of 8, 12, 16 or 32 bits in one of two buckets of four.
// `detail` is the number of buckets, `detail2` the bits of a fingerprint; 0 in a slot means that it is empty.
//
// Each of the two buckets is found from the other and the fingerprint alone: other = mix(fingerprint) - bucket, modulo the
// number of buckets. That is its own inverse for any number of them; the usual XOR is so for powers of two only, which
// wastes up to half of the memory.
//
// Where both buckets are full, the way to an empty slot is sought first, breadth-first, and fingerprints move only once it
// is found. So there is never a fingerprint in hand that has no place, and an add that fails has changed nothing.

import { count, detail2Of, detailOf, HEAD } from "./filter";

// @ts-ignore: decorator
@inline const SLOTS: u32 = 4;

/** Where the search keeps the buckets it has reached: over the key bytes, which were hashed before. See src/engine/layout.ts. */
// @ts-ignore: decorator
@inline const REACHED: usize = 10880;

/** So many buckets all full, at 95 % load, are as good as never met. */
// @ts-ignore: decorator
@inline const MAX_REACHED: u32 = 512;

// @ts-ignore: decorator
@inline const NOWHERE: u32 = 0xffffffff;

/** 1 to 2^bits - 1, each as likely. */
// @ts-ignore: decorator
@inline function fingerprintOf(h2: u64, bits: u32): u32 {
  const values = ((<u64>1) << bits) - 1;
  return 1 + <u32>(((h2 & 0xffffffff) * values) >>> 32);
}

// @ts-ignore: decorator
@inline function bucketOf(h1: u64, buckets: u32): u32 {
  return <u32>(((h1 >>> 32) * buckets) >>> 32);
}

/** The mixer at the end of MurmurHash3_x86_32: with a mere product, fingerprints would lead to too few places. */
// @ts-ignore: decorator
@inline function otherOf(bucket: u32, fingerprint: u32, buckets: u32): u32 {
  let x = (fingerprint ^ (fingerprint >>> 16)) * 0x85ebca6b;
  x = (x ^ (x >>> 13)) * 0xc2b2ae35;
  x ^= x >>> 16;
  const place = <u32>((<u64>x * buckets) >>> 32);
  return place - bucket + (place < bucket ? buckets : 0);
}

/** The byte in which a slot begins; slots are packed without gaps. */
// @ts-ignore: decorator
@inline function byteOf(filter: usize, slot: u32, bits: u32): usize {
  const from = filter + HEAD;
  if (bits == 8) return from + slot;
  if (bits == 12) return from + slot + (slot >>> 1);
  return from + (slot << (bits >>> 4));
}

function slotAt(filter: usize, slot: u32, bits: u32): u32 {
  const at = byteOf(filter, slot, bits);
  if (bits == 8) return load<u8>(at);
  if (bits == 12) return (<u32>load<u16>(at, 0, 1) >>> ((slot & 1) << 2)) & 0xfff;
  if (bits == 16) return load<u16>(at);
  return load<u32>(at);
}

function setSlot(filter: usize, slot: u32, bits: u32, fingerprint: u32): void {
  const at = byteOf(filter, slot, bits);
  if (bits == 8) store<u8>(at, fingerprint);
  else if (bits == 12) {
    const shift: u32 = (slot & 1) << 2;
    store<u16>(at, (<u32>load<u16>(at, 0, 1) & ~(<u32>0xfff << shift)) | (fingerprint << shift), 0, 1);
  } else if (bits == 16) store<u16>(at, fingerprint);
  else store<u32>(at, fingerprint);
}

/** Is the fingerprint among the four of a bucket? All lanes at once: x - 1 borrows from the top bit of a lane that is 0. */
// @ts-ignore: decorator
@inline function holds(filter: usize, bucket: u32, fingerprint: u32, bits: u32): u32 {
  const at = byteOf(filter, bucket * SLOTS, bits);
  if (bits == 12) {
    const x = (<u64>load<u32>(at, 0, 2) | ((<u64>load<u16>(at, 4)) << 32)) ^ (<u64>fingerprint * 0x001001001001);
    return u32(((x - 0x001001001001) & ~x & 0x800800800800) != 0);
  }
  if (bits == 8) {
    const x = load<u32>(at) ^ (fingerprint * 0x01010101);
    return u32(((x - 0x01010101) & ~x & 0x80808080) != 0);
  }
  if (bits == 16) {
    const x = load<u64>(at) ^ (<u64>fingerprint * 0x0001000100010001);
    return u32(((x - 0x0001000100010001) & ~x & 0x8000800080008000) != 0);
  }
  return (
    u32(load<u32>(at) == fingerprint) |
    u32(load<u32>(at, 4) == fingerprint) |
    u32(load<u32>(at, 8) == fingerprint) |
    u32(load<u32>(at, 12) == fingerprint)
  );
}

/** The slot of a bucket that holds the fingerprint, or NOWHERE. */
function find(filter: usize, bucket: u32, bits: u32, fingerprint: u32): u32 {
  const first = bucket * SLOTS;
  for (let i: u32 = 0; i < SLOTS; i++) if (slotAt(filter, first + i, bits) == fingerprint) return first + i;
  return NOWHERE;
}

/** Both buckets, so that they come at once. */
// @ts-ignore: decorator
@inline export function touch(filter: usize, h1: u64, h2: u64): u32 {
  const bits = detail2Of(filter);
  const buckets = detailOf(filter);
  const bucket = bucketOf(h1, buckets);
  const other = otherOf(bucket, fingerprintOf(h2, bits), buckets);
  return <u32>load<u8>(byteOf(filter, bucket * SLOTS, bits)) + load<u8>(byteOf(filter, other * SLOTS, bits));
}

// @ts-ignore: decorator
@inline export function has(filter: usize, h1: u64, h2: u64): u32 {
  const bits = detail2Of(filter);
  const buckets = detailOf(filter);
  const fingerprint = fingerprintOf(h2, bits);
  const bucket = bucketOf(h1, buckets);
  return holds(filter, bucket, fingerprint, bits) | holds(filter, otherOf(bucket, fingerprint, buckets), fingerprint, bits);
}

/** Returns 0 where no place is left; then nothing has changed. */
export function add(filter: usize, h1: u64, h2: u64): u32 {
  const bits = detail2Of(filter);
  const buckets = detailOf(filter);
  const fingerprint = fingerprintOf(h2, bits);
  const bucket = bucketOf(h1, buckets);
  const other = otherOf(bucket, fingerprint, buckets);
  let slot = find(filter, bucket, bits, 0);
  if (slot == NOWHERE) slot = find(filter, other, bits, 0);
  if (slot == NOWHERE) slot = makeRoom(filter, bucket, other, bits, buckets);
  if (slot == NOWHERE) return 0;
  setSlot(filter, slot, bits, fingerprint);
  count(filter, 1);
  return 1;
}

// Of a bucket that was reached: its number, and the slot whose fingerprint would move there.

// @ts-ignore: decorator
@inline function reached(i: u32): u32 {
  return load<u32>(REACHED + (i << 3));
}

// @ts-ignore: decorator
@inline function reach(i: u32, bucket: u32, via: u32): void {
  store<u32>(REACHED + (i << 3), bucket);
  store<u32>(REACHED + (i << 3), via, 4);
}

/** Empties a slot in one of two full buckets and returns it; NOWHERE, and nothing moved, if that takes too long a search. */
function makeRoom(filter: usize, bucket: u32, other: u32, bits: u32, buckets: u32): u32 {
  reach(0, bucket, NOWHERE);
  reach(1, other, NOWHERE);
  let n: u32 = bucket == other ? 1 : 2;
  for (let i: u32 = 0; i < n; i++) {
    const from = reached(i);
    for (let slot = from * SLOTS; slot < from * SLOTS + SLOTS; slot++) {
      const next = otherOf(from, slotAt(filter, slot, bits), buckets);
      const empty = find(filter, next, bits, 0);
      if (empty != NOWHERE) return moveAlong(filter, slot, empty, i, bits);
      if (n < MAX_REACHED && !isReached(next, n)) reach(n++, next, (i << 2) | (slot & 3));
    }
  }
  return NOWHERE;
}

function isReached(bucket: u32, n: u32): bool {
  for (let i: u32 = 0; i < n; i++) if (reached(i) == bucket) return true;
  return false;
}

/** Moves what is in `slot`, of the i-th bucket reached, to the empty one, and so on back to where the search began. */
function moveAlong(filter: usize, slot: u32, empty: u32, i: u32, bits: u32): u32 {
  for (;;) {
    setSlot(filter, empty, bits, slotAt(filter, slot, bits));
    empty = slot;
    const via = load<u32>(REACHED + (i << 3), 4);
    if (via == NOWHERE) break;
    i = via >>> 2;
    slot = reached(i) * SLOTS + (via & 3);
  }
  return empty;
}

/** Returns 0 where the key was not there. */
export function remove(filter: usize, h1: u64, h2: u64): u32 {
  const bits = detail2Of(filter);
  const buckets = detailOf(filter);
  const fingerprint = fingerprintOf(h2, bits);
  const bucket = bucketOf(h1, buckets);
  let slot = find(filter, bucket, bits, fingerprint);
  if (slot == NOWHERE) slot = find(filter, otherOf(bucket, fingerprint, buckets), bits, fingerprint);
  if (slot == NOWHERE) return 0;
  setSlot(filter, slot, bits, 0);
  count(filter, -1);
  return 1;
}

/** How many slots are full; NOWHERE if there is something behind the last. */
export function census(filter: usize, end: usize): u32 {
  const bits = detail2Of(filter);
  const slots = detailOf(filter) * SLOTS;
  let full: u32 = 0;
  for (let slot: u32 = 0; slot < slots; slot++) full += u32(slotAt(filter, slot, bits) != 0);
  for (let at = byteOf(filter, slots, bits); at < end; at++) if (load<u8>(at)) return NOWHERE;
  return full;
}
