// The quotient filter (Bender et al., 2012): a key is a fingerprint, whose quotient says in which slot it is at home and
// whose remainder is kept there or, where others are in the way, in a slot further on. `detail` is the number of slots,
// `detail2` the bits of a remainder.
//
//   slot:  | remainder | shifted | continuation | occupied |
//            r bits      not at    not the first  a key is at home here, wherever its
//                        home      of its run     remainder may be
//
// Remainders of one quotient are a run, in ascending order; runs follow each other in the order of their quotients. So the
// same keys give the same bytes in whatever order they came and others went.
//
// The fingerprint is h1 * slots / 2^64, the quotient before the binary point and the remainder behind it. With twice the
// slots the first bit of the remainder moves before the point: that is how a filter grows without its keys, and why the
// number of slots need not be a power of two.

import { count, detail2Of, detailOf, HEAD } from "./filter";

// @ts-ignore: decorator
@inline const OCCUPIED: u64 = 1;
// @ts-ignore: decorator
@inline const CONTINUATION: u64 = 2;
// @ts-ignore: decorator
@inline const SHIFTED: u64 = 4;
/** None of the three is set in an empty slot. */
// @ts-ignore: decorator
@inline const STATE: u64 = 7;
// @ts-ignore: decorator
@inline const STATE_BITS: u32 = 3;

// @ts-ignore: decorator
@inline const UNSOUND: u32 = 0xffffffff;

// @ts-ignore: decorator
@inline function bitOf(filter: usize, slot: u32): u64 {
  return <u64>slot * (detail2Of(filter) + STATE_BITS);
}

// @ts-ignore: decorator
@inline function slotMask(filter: usize): u64 {
  return ((<u64>1) << (detail2Of(filter) + STATE_BITS)) - 1;
}

/** Slots are packed without gaps; a word from the byte where one begins holds all of it. */
// @ts-ignore: decorator
@inline function slotAt(filter: usize, slot: u32): u64 {
  const bit = bitOf(filter, slot);
  return (load<u64>(filter + HEAD + <usize>(bit >>> 3), 0, 1) >>> (bit & 7)) & slotMask(filter);
}

function setSlot(filter: usize, slot: u32, value: u64): void {
  const bit = bitOf(filter, slot);
  const at = filter + HEAD + <usize>(bit >>> 3);
  const shift = bit & 7;
  store<u64>(at, (load<u64>(at, 0, 1) & ~(slotMask(filter) << shift)) | (value << shift), 0, 1);
}

/** The last slot is followed by the first. */
// @ts-ignore: decorator
@inline function after(filter: usize, slot: u32): u32 {
  return slot + 1 == detailOf(filter) ? 0 : slot + 1;
}

// @ts-ignore: decorator
@inline function before(filter: usize, slot: u32): u32 {
  return (slot ? slot : detailOf(filter)) - 1;
}

function nextOccupied(filter: usize, quotient: u32): u32 {
  do {
    quotient = after(filter, quotient);
  } while (!(slotAt(filter, quotient) & OCCUPIED));
  return quotient;
}

/** h1 * slots / 2^32: the quotient in the upper half, of which the remainder is the next bits. */
// @ts-ignore: decorator
@inline function placeOf(filter: usize, h1: u64): u64 {
  const slots = <u64>detailOf(filter);
  return (h1 >>> 32) * slots + (((h1 & 0xffffffff) * slots) >>> 32);
}

// @ts-ignore: decorator
@inline function remainderOf(filter: usize, place: u64): u64 {
  return (place & 0xffffffff) >>> (32 - detail2Of(filter));
}

/** Where the run of an occupied quotient begins: as many runs from the first unshifted slot as there are quotients. */
function runOf(filter: usize, quotient: u32): u32 {
  let home = quotient;
  while (slotAt(filter, home) & SHIFTED) home = before(filter, home);
  let slot = home;
  while (home != quotient) {
    do {
      slot = after(filter, slot);
    } while (slotAt(filter, slot) & CONTINUATION);
    home = nextOccupied(filter, home);
  }
  return slot;
}

/** The slot of a fingerprint, or UNSOUND. */
function find(filter: usize, quotient: u32, remainder: u64): u32 {
  if (!(slotAt(filter, quotient) & OCCUPIED)) return UNSOUND;
  let slot = runOf(filter, quotient);
  do {
    const there = slotAt(filter, slot) >>> STATE_BITS;
    if (there == remainder) return slot;
    if (there > remainder) return UNSOUND;
    slot = after(filter, slot);
  } while (slotAt(filter, slot) & CONTINUATION);
  return UNSOUND;
}

// @ts-ignore: decorator
@inline export function touch(filter: usize, h1: u64): u32 {
  return <u32>slotAt(filter, <u32>(placeOf(filter, h1) >>> 32));
}

export function has(filter: usize, h1: u64): u32 {
  const place = placeOf(filter, h1);
  return u32(find(filter, <u32>(place >>> 32), remainderOf(filter, place)) != UNSOUND);
}

/** Returns 0 where all slots but one are full; that one ends every search. */
export function add(filter: usize, h1: u64): u32 {
  const place = placeOf(filter, h1);
  return insert(filter, <u32>(place >>> 32), remainderOf(filter, place));
}

function insert(filter: usize, quotient: u32, remainder: u64): u32 {
  if (load<u64>(filter, 40) + 1 >= detailOf(filter)) return 0;
  count(filter, 1);
  const home = slotAt(filter, quotient);
  let entry = remainder << STATE_BITS;
  if (!(home & STATE)) {
    setSlot(filter, quotient, entry | OCCUPIED);
    return 1;
  }
  if (!(home & OCCUPIED)) setSlot(filter, quotient, home | OCCUPIED);
  const start = runOf(filter, quotient);
  let slot = start;
  if (home & OCCUPIED) {
    // Behind its equals.
    do {
      if (slotAt(filter, slot) >>> STATE_BITS > remainder) break;
      slot = after(filter, slot);
    } while (slotAt(filter, slot) & CONTINUATION);
    if (slot == start) setSlot(filter, start, slotAt(filter, start) | CONTINUATION);
    else entry |= CONTINUATION;
  }
  if (slot != quotient) entry |= SHIFTED;
  // Everything up to the next empty slot moves on by one; whether a quotient is occupied stays where it is.
  for (;;) {
    const moved = slotAt(filter, slot);
    setSlot(filter, slot, entry | (moved & OCCUPIED));
    if (!(moved & STATE)) break;
    entry = (moved & ~OCCUPIED) | SHIFTED;
    slot = after(filter, slot);
  }
  return 1;
}

/** Returns 0 where the key was not there. */
export function remove(filter: usize, h1: u64): u32 {
  const place = placeOf(filter, h1);
  const quotient = <u32>(place >>> 32);
  let slot = find(filter, quotient, remainderOf(filter, place));
  if (slot == UNSOUND) return 0;
  count(filter, -1);
  let next = after(filter, slot);
  let follower = slotAt(filter, next);
  // What follows the first of a run becomes the first; if nothing does, the quotient is no longer occupied.
  let becomesFirst = false;
  if (!(slotAt(filter, slot) & CONTINUATION)) {
    if (follower & CONTINUATION) becomesFirst = true;
    else setSlot(filter, quotient, slotAt(filter, quotient) & ~OCCUPIED);
  }
  // Everything that is not at home moves back by one.
  let home = quotient;
  while (follower & SHIFTED) {
    let entry = follower & ~OCCUPIED;
    if (becomesFirst) entry &= ~CONTINUATION;
    if (!(follower & CONTINUATION)) home = nextOccupied(filter, home);
    if (!(entry & CONTINUATION) && home == slot) entry &= ~SHIFTED;
    becomesFirst = false;
    setSlot(filter, slot, entry | (slotAt(filter, slot) & OCCUPIED));
    slot = next;
    next = after(filter, slot);
    follower = slotAt(filter, next);
  }
  setSlot(filter, slot, 0);
  return 1;
}

/**
 * How many slots are full; UNSOUND if no adding and deleting could have led to what is there. Only a filter that has
 * passed this may be searched: in another a search might never end.
 */
export function census(filter: usize, end: usize): u32 {
  const slots = detailOf(filter);
  const firstEmpty = emptySlot(filter);
  if (firstEmpty == slots || !isClear(filter, end)) return UNSOUND;
  let full: u32 = 0;
  let quotient = firstEmpty;
  let last: u64 = 0;
  let slot = firstEmpty;
  // How many quotients wait for their run.
  let waiting: u32 = 0;
  for (let i: u32 = 0; i < slots; i++) {
    const value = slotAt(filter, slot);
    const remainder = value >>> STATE_BITS;
    if (value & STATE) {
      full++;
      waiting += u32((value & OCCUPIED) != 0);
      if (value & CONTINUATION) {
        if (quotient == slot || remainder < last || !(value & SHIFTED)) return UNSOUND;
      } else {
        if (!waiting--) return UNSOUND;
        quotient = nextOccupied(filter, quotient);
        if ((quotient != slot) != ((value & SHIFTED) != 0)) return UNSOUND;
      }
      last = remainder;
    } else {
      if (remainder || waiting) return UNSOUND;
      quotient = slot;
    }
    slot = after(filter, slot);
  }
  return waiting ? UNSOUND : full;
}

/** The first empty slot, or the number of slots if there is none. */
function emptySlot(filter: usize): u32 {
  const slots = detailOf(filter);
  for (let slot: u32 = 0; slot < slots; slot++) if (!(slotAt(filter, slot) & STATE)) return slot;
  return slots;
}

/** Whether nothing lies behind the last slot. */
function isClear(filter: usize, end: usize): bool {
  const bit = bitOf(filter, detailOf(filter));
  let at = filter + HEAD + <usize>(bit >>> 3);
  if (at < end && load<u8>(at) >>> <u8>(bit & 7)) return false;
  while (++at < end) if (load<u8>(at)) return false;
  return true;
}

/**
 * Writes up to n fingerprints, u64 each, and returns how many. `walk` keeps what is between two calls, three u32 that are
 * 0 in the beginning: slots walked, slot, quotient.
 */
export function listFingerprints(filter: usize, walk: usize, out: usize, n: u32): u32 {
  const slots = detailOf(filter);
  let walked = load<u32>(walk);
  // An empty slot ends and begins every run.
  let slot = walked ? load<u32>(walk, 4) : emptySlot(filter);
  let quotient = walked ? load<u32>(walk, 8) : slot;
  let listed: u32 = 0;
  for (; walked < slots && listed < n; walked++) {
    const value = slotAt(filter, slot);
    if (value & STATE) {
      if (!(value & CONTINUATION)) quotient = nextOccupied(filter, quotient);
      store<u64>(out + (listed++ << 3), ((<u64>quotient) << detail2Of(filter)) | (value >>> STATE_BITS));
    } else {
      quotient = slot;
    }
    slot = after(filter, slot);
  }
  store<u32>(walk, walked);
  store<u32>(walk, slot, 4);
  store<u32>(walk, quotient, 8);
  return listed;
}

/** Adds n fingerprints; returns how many found a place. */
export function addFingerprints(filter: usize, at: usize, n: u32): u32 {
  const bits = <u64>detail2Of(filter);
  const mask = ((<u64>1) << bits) - 1;
  for (let i: u32 = 0; i < n; i++) {
    const fingerprint = load<u64>(at + (i << 3));
    if (!insert(filter, <u32>(fingerprint >>> bits), fingerprint & mask)) return i;
  }
  return n;
}
