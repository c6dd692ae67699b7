import { hasEnded, threadName } from "#threads";
import { SLOT_OWNERS_AT, SLOTS } from "./layout.js";

/**
 * Where threads put a batch's hashes while they probe a shared filter: each in a slot of its own, held for the length of
 * one kernel call. A thread that is terminated in the middle of one keeps its slot; on Linux the next thread in need
 * takes it back, elsewhere it stays taken. A thread that finds no slot works key by key, which needs none.
 */
export class Slots {
  readonly #owners: Int32Array;
  #me = 0;
  #latest = 0;

  constructor(buffer: ArrayBufferLike) {
    this.#owners = new Int32Array(buffer, SLOT_OWNERS_AT, SLOTS);
  }

  /** The number of a slot that is now ours, or -1. */
  claim(): number {
    for (let i = 0; i < SLOTS; i++) {
      const slot = (this.#latest + i) % SLOTS;
      if (this.#take(slot, 0)) return slot;
    }
    for (let slot = 0; slot < SLOTS; slot++) {
      const owner = Atomics.load(this.#owners, slot);
      if (hasEnded(owner) && this.#take(slot, owner)) return slot;
    }
    return -1;
  }

  #take(slot: number, from: number): boolean {
    // Asking for it takes longer than all else that attach() does here.
    this.#me ||= threadName();
    if (Atomics.compareExchange(this.#owners, slot, from, this.#me) !== from) return false;
    this.#latest = slot;
    return true;
  }

  release(slot: number): void {
    Atomics.store(this.#owners, slot, 0);
  }
}
