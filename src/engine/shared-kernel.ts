import type { Instance } from "./instance.js";
import type { FilterKernel, SharedMemoryKernel } from "./kernel.js";
import { HASH_AT, SHARED_FILTER_AT } from "./layout.js";
import { Slots } from "./slots.js";

/**
 * The kernel of a shared filter, as one thread sees it. Keys are staged and hashed in the thread's private memory, and
 * only hashes cross over: in registers, or for a batch through a slot. So threads never meet anywhere but in the lines,
 * and no shared view is ever given to TextEncoder, which browsers forbid.
 */
export class SharedKernel implements FilterKernel {
  private readonly slots: Slots;
  private readonly words: Int32Array;
  private readonly bytes: Uint8Array;
  private readonly seedLow: number;
  private readonly seedHigh: number;

  constructor(
    private readonly kernel: SharedMemoryKernel,
    private readonly stage: Instance,
    buffer: ArrayBufferLike,
  ) {
    this.slots = new Slots(buffer);
    this.words = new Int32Array(buffer, 0, SHARED_FILTER_AT / 4);
    this.bytes = new Uint8Array(buffer, 0, SHARED_FILTER_AT);
    const seed = new Int32Array(buffer, SHARED_FILTER_AT + 16, 2);
    this.seedLow = seed[0] as number;
    this.seedHigh = seed[1] as number;
  }

  has(filter: number, key: number, length: number): number {
    const { kernel, hashParts } = this.stage;
    kernel.hash(key, length, this.seedLow, this.seedHigh, HASH_AT);
    return this.kernel.hasHash(filter, hashParts[0]!, hashParts[1]!, hashParts[2]!, hashParts[3]!);
  }

  add(filter: number, key: number, length: number): number {
    const { kernel, hashParts } = this.stage;
    kernel.hash(key, length, this.seedLow, this.seedHigh, HASH_AT);
    return this.kernel.addHash(filter, hashParts[0]!, hashParts[1]!, hashParts[2]!, hashParts[3]!);
  }

  hasInt(filter: number, low: number, high: number): number {
    return this.kernel.hasInt(filter, low, high);
  }

  addInt(filter: number, low: number, high: number): number {
    return this.kernel.addInt(filter, low, high);
  }

  hasHash(filter: number, low1: number, high1: number, low2: number, high2: number): number {
    return this.kernel.hasHash(filter, low1, high1, low2, high2);
  }

  addHash(filter: number, low1: number, high1: number, low2: number, high2: number): number {
    return this.kernel.addHash(filter, low1, high1, low2, high2);
  }

  // The hashes of a batch are always the stage's, so their address says nothing new.

  hasHashes(filter: number, _hashes: number, n: number, _out: number): void {
    const { slots, bytes } = this;
    const { results } = this.stage;
    const slot = slots.claim();
    if (slot < 0) {
      this.eachHash(n, (i, a, b, c, d) => {
        results[i] = this.kernel.hasHash(filter, a, b, c, d);
      });
      return;
    }
    this.copyHashes(n, slot);
    const at = slots.resultsAt(slot);
    this.kernel.hasHashes(filter, slots.hashesAt(slot), n, at);
    results.set(bytes.subarray(at, at + n));
    slots.release(slot);
  }

  addHashes(filter: number, _hashes: number, n: number): number {
    const { slots } = this;
    const slot = slots.claim();
    if (slot < 0) {
      let changed = 0;
      this.eachHash(n, (_, a, b, c, d) => {
        if (this.kernel.addHash(filter, a, b, c, d)) changed++;
      });
      return changed;
    }
    this.copyHashes(n, slot);
    const changed = this.kernel.addHashes(filter, slots.hashesAt(slot), n);
    slots.release(slot);
    return changed;
  }

  private copyHashes(n: number, slot: number): void {
    this.words.set(this.stage.hashes.subarray(0, n * 4), this.slots.hashesAt(slot) / 4);
  }

  private eachHash(n: number, visit: (i: number, a: number, b: number, c: number, d: number) => void): void {
    const { hashes } = this.stage;
    for (let i = 0, at = 0; i < n; i++, at += 4) {
      visit(i, hashes[at]!, hashes[at + 1]!, hashes[at + 2]!, hashes[at + 3]!);
    }
  }
}
