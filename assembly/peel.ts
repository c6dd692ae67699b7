// Finds a slot for every key, so that all keys' XORs can be made right one after the other. A slot that only one key
// still owns is that key's own; take the key away, and other slots become some key's own. The keys' places are filled
// in the opposite order.
//
// A slot keeps the XOR of the numbers of its keys, not of their hashes: half the memory, 18 bytes a key in all, and it
// leads to a map's values too. The keys are sorted, so that neighbours in the list are neighbours in the slots.

import * as bloomier from "./bloomier";
import * as fuse from "./fuse";
import { first, fourth, rangeOf, second, segmentOf, third } from "./fuse";
import { hashesOf } from "./filter";

let counts: usize = 0;
let numbers: usize = 0;
let order: usize = 0;
let queued: usize = 0;

/** One more key in a slot; false where there are too many to be counted, which only a forged set achieves. */
// @ts-ignore: decorator
@inline function enter(slot: u32, key: u32): bool {
  const count = load<u8>(counts + slot);
  store<u8>(counts + slot, count + 1);
  const at = numbers + (<usize>slot << 2);
  store<u32>(at, load<u32>(at) ^ key);
  return count < 255;
}

/** One key fewer in a slot, which is queued once it has a single one left. */
// @ts-ignore: decorator
@inline function leave(slot: u32, key: u32): void {
  const left = load<u8>(counts + slot) - 1;
  store<u8>(counts + slot, left);
  const at = numbers + (<usize>slot << 2);
  store<u32>(at, load<u32>(at) ^ key);
  if (left == 1) queue(slot);
}

// @ts-ignore: decorator
@inline function queue(slot: u32): void {
  store<u32>(queued, slot);
  queued += 4;
}

/**
 * Fills the slots of `filter` for n records at `list`: the remixed hash and, in records of 16 bytes, the value. `work`
 * is 9 bytes for every slot, rounded up. Returns 0 where no order is found: the hashes must be remixed.
 */
export function peel(filter: usize, list: usize, n: u32, record: u32, work: usize): u32 {
  const k = hashesOf(filter);
  const range = rangeOf(filter);
  const segment = segmentOf(filter);
  const slots = range + (k - 1) * segment;
  numbers = work;
  order = work + (<usize>slots << 2);
  counts = order + (<usize>slots << 2);
  queued = order;
  memory.fill(numbers, 0, <usize>slots << 2);
  memory.fill(counts, 0, slots);

  for (let i: u32 = 0; i < n; i++) {
    const x = load<u64>(list + <usize>i * record);
    const p = first(x, range);
    let fits = enter(p, i);
    fits = enter(second(x, p, segment), i) && fits;
    fits = enter(third(x, p, segment), i) && fits;
    if (k == 4) fits = enter(fourth(x, p, segment), i) && fits;
    if (!fits) return 0;
  }

  for (let slot: u32 = 0; slot < slots; slot++) if (load<u8>(counts + slot) == 1) queue(slot);
  // A slot is queued once at most, and what was peeled never outruns what was queued: one list serves both.
  let peeled = order;
  for (let head = order; head < queued; head += 4) {
    const slot = load<u32>(head);
    if (load<u8>(counts + slot) != 1) continue;
    const i = load<u32>(numbers + (<usize>slot << 2));
    const x = load<u64>(list + <usize>i * record);
    const p = first(x, range);
    leave(p, i);
    leave(second(x, p, segment), i);
    leave(third(x, p, segment), i);
    if (k == 4) leave(fourth(x, p, segment), i);
    store<u32>(numbers + (<usize>slot << 2), i);
    store<u32>(peeled, slot);
    peeled += 4;
  }
  if (peeled - order != <usize>n << 2) return 0;

  while (peeled > order) {
    peeled -= 4;
    const slot = load<u32>(peeled);
    const at = list + <usize>load<u32>(numbers + (<usize>slot << 2)) * record;
    if (record == 16) bloomier.place(filter, load<u64>(at), k, slot, load<u64>(at, 8));
    else fuse.place(filter, load<u64>(at), k, slot);
  }
  return 1;
}
