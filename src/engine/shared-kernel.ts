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
  readonly hasInt: FilterKernel["hasInt"];
  readonly addInt: FilterKernel["addInt"];
  readonly hasHash: FilterKernel["hasHash"];
  readonly addHash: FilterKernel["addHash"];
  readonly #slots: Slots;
  readonly #words: Int32Array;
  readonly #bytes: Uint8Array;
  readonly #seedLow: number;
  readonly #seedHigh: number;

  readonly #kernel: SharedMemoryKernel;
  readonly #stage: Instance;

  constructor(kernel: SharedMemoryKernel, stage: Instance, buffer: ArrayBufferLike) {
    this.#kernel = kernel;
    this.#stage = stage;
    this.hasInt = kernel.hasInt;
    this.addInt = kernel.addInt;
    this.hasHash = kernel.hasHash;
    this.addHash = kernel.addHash;
    this.#slots = new Slots(buffer);
    this.#words = new Int32Array(buffer, 0, SHARED_FILTER_AT / 4);
    this.#bytes = new Uint8Array(buffer, 0, SHARED_FILTER_AT);
    const seed = new Int32Array(buffer, SHARED_FILTER_AT + 16, 2);
    this.#seedLow = seed[0] as number;
    this.#seedHigh = seed[1] as number;
  }

  has(filter: number, key: number, length: number): number {
    const { kernel, hashParts } = this.#stage;
    kernel.hash(key, length, this.#seedLow, this.#seedHigh, HASH_AT);
    return this.hasHash(filter, hashParts[0]!, hashParts[1]!, hashParts[2]!, hashParts[3]!);
  }

  add(filter: number, key: number, length: number): number {
    const { kernel, hashParts } = this.#stage;
    kernel.hash(key, length, this.#seedLow, this.#seedHigh, HASH_AT);
    return this.addHash(filter, hashParts[0]!, hashParts[1]!, hashParts[2]!, hashParts[3]!);
  }

  // The hashes of a batch are always the stage's, so their address says nothing new.

  hasHashes(filter: number, _hashes: number, n: number, _out: number): void {
    const slots = this.#slots;
    const { results } = this.#stage;
    const slot = slots.claim();
    if (slot < 0) {
      this.#eachHash(n, (i, a, b, c, d) => {
        results[i] = this.hasHash(filter, a, b, c, d);
      });
      return;
    }
    this.#copyHashes(n, slot);
    const at = slots.resultsAt(slot);
    this.#kernel.hasHashes(filter, slots.hashesAt(slot), n, at);
    results.set(this.#bytes.subarray(at, at + n));
    slots.release(slot);
  }

  addHashes(filter: number, _hashes: number, n: number): number {
    const slots = this.#slots;
    const slot = slots.claim();
    if (slot < 0) {
      let changed = 0;
      this.#eachHash(n, (_, a, b, c, d) => {
        if (this.addHash(filter, a, b, c, d)) changed++;
      });
      return changed;
    }
    this.#copyHashes(n, slot);
    const changed = this.#kernel.addHashes(filter, slots.hashesAt(slot), n);
    slots.release(slot);
    return changed;
  }

  #copyHashes(n: number, slot: number): void {
    this.#words.set(this.#stage.hashes.subarray(0, n * 4), this.#slots.hashesAt(slot) / 4);
  }

  #eachHash(n: number, visit: (i: number, a: number, b: number, c: number, d: number) => void): void {
    const { hashes } = this.#stage;
    for (let i = 0, at = 0; i < n; i++, at += 4) {
      visit(i, hashes[at]!, hashes[at + 1]!, hashes[at + 2]!, hashes[at + 3]!);
    }
  }
}
