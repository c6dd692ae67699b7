import type { FilterHandle } from "./handle.js";
import type { Instance } from "./instance.js";
import type { Action, FilterKernel, Kernel } from "./kernel.js";
import { kernelOver } from "./kernel-over.js";
import { BATCH, HASH, HASH_AT, SHARED_FILTER_AT, SLOT, SLOTS_AT } from "./layout.js";
import { Slots } from "./slots.js";

/**
 * The kernel of a shared filter, as one thread sees it. Keys are staged and hashed in the thread's private memory, and
 * only hashes cross over: in registers, or for a batch through a slot. So threads never meet anywhere but in the lines,
 * and no shared view is ever given to TextEncoder, which browsers forbid.
 */
export class SharedKernel implements FilterKernel {
  readonly #handle: FilterHandle;
  readonly #counterAt: number;
  #exports: Kernel | undefined;
  readonly #stage: Instance;
  readonly #slots: Slots;
  readonly #words: Int32Array;
  readonly #bytes: Uint8Array;
  readonly #seed: Int32Array;

  constructor(handle: FilterHandle, stage: Instance, counterAt: number) {
    const { buffer } = handle.memory;
    this.#handle = handle;
    this.#counterAt = counterAt;
    this.#stage = stage;
    this.#slots = new Slots(buffer);
    this.#words = new Int32Array(buffer, 0, SHARED_FILTER_AT / 4);
    this.#bytes = new Uint8Array(buffer, 0, SHARED_FILTER_AT);
    this.#seed = new Int32Array(buffer, SHARED_FILTER_AT + 16, 2).slice();
  }

  /** Made when it is first needed: attach() does not need it. */
  get exports(): Kernel {
    return (this.#exports ??= kernelOver(this.#handle.module, this.#handle.memory, this.#counterAt));
  }

  get actInt(): FilterKernel["actInt"] {
    return this.exports.actInt;
  }

  get actHash(): FilterKernel["actHash"] {
    return this.exports.actHash;
  }

  act(filter: number, key: number, length: number, action: Action): number {
    const { kernel, hashParts } = this.#stage;
    kernel.hash(key, length, this.#seed[0]!, this.#seed[1]!, HASH_AT);
    return this.actHash(filter, hashParts[0]!, hashParts[1]!, hashParts[2]!, hashParts[3]!, action);
  }

  /** The hashes are the stage's, and so are the answers: their addresses say nothing new. */
  actHashes(filter: number, _hashes: number, n: number, _out: number, action: Action): number {
    const slots = this.#slots;
    const { hashes, results } = this.#stage;
    const slot = slots.claim();
    if (slot < 0) {
      let all = 0;
      for (let i = 0; i < n; i++) {
        const at = i * 4;
        const yes = this.actHash(filter, hashes[at]!, hashes[at + 1]!, hashes[at + 2]!, hashes[at + 3]!, action);
        results[i] = Math.min(yes, 1);
        all += results[i]!;
      }
      return all;
    }
    const at = SLOTS_AT + slot * SLOT;
    const out = at + BATCH * HASH;
    this.#words.set(hashes.subarray(0, n * 4), at / 4);
    const all = this.exports.actHashes(filter, at, n, out, action);
    results.set(this.#bytes.subarray(out, out + n));
    slots.release(slot);
    return all;
  }
}
