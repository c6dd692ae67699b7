import type { Instance } from "../engine/instance.js";
import { eachHashedBatch, type Keys } from "../keys/batch.js";

/** Hashes in a chunk. */
const CHUNK = 1 << 15;

/** The h1 of any number of keys, in their order: what is left of the keys of a filter that is built in one go. */
export class HashList {
  readonly #chunks: Int32Array[] = [];
  #length = 0;

  constructor(keys: Keys, seed: bigint, stage: Instance) {
    eachHashedBatch(keys, seed, stage, (n) => {
      for (let i = 0; i < n; i++) this.#push(stage.hashes[i * 4]!, stage.hashes[i * 4 + 1]!);
    });
  }

  get length(): number {
    return this.#length;
  }

  #push(low: number, high: number): void {
    const at = this.#length++ % CHUNK;
    if (at === 0) this.#chunks.push(new Int32Array(CHUNK * 2));
    const chunk = this.#chunks.at(-1)!;
    chunk[at * 2] = low;
    chunk[at * 2 + 1] = high;
  }

  /** Copies all of them to records that begin with 64 bits of hash; `record` is in 32-bit words. */
  copyTo(words: Int32Array, record: number): void {
    for (let i = 0, to = 0; i < this.#chunks.length; i++) {
      const chunk = this.#chunks[i]!;
      const n = Math.min(CHUNK, this.#length - i * CHUNK);
      if (record === 2) {
        words.set(chunk.subarray(0, n * 2), to);
        to += n * 2;
        continue;
      }
      for (let j = 0; j < n; j++, to += record) {
        words[to] = chunk[j * 2]!;
        words[to + 1] = chunk[j * 2 + 1]!;
      }
    }
  }
}
