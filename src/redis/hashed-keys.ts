import type { Instance } from "../engine/instance.js";
import { checkEachKey, checkKeys, counted, countOf, eachHashedBatch, type Keys } from "../keys/batch.js";

/** What is kept of a hash: the half of h1 that picks the line, and h2. */
export const HASH_WORDS = 3;
export const HASH_BYTES = HASH_WORDS * 4;

/** Hashes of keys: every layer, and every copy of a layer, finds its line and bits from these 12 bytes each. */
export class HashedKeys {
  constructor(readonly words: Uint32Array) {}

  get count(): number {
    return this.words.length / HASH_WORDS;
  }

  static of(keys: Keys, seed: bigint, stage: Instance): HashedKeys {
    checkKeys(keys);
    const all = counted(keys);
    checkEachKey(all);
    const words = new Uint32Array(countOf(all) * HASH_WORDS);
    let at = 0;
    eachHashedBatch(all, seed, stage, (n) => {
      const { hashes } = stage;
      for (let i = 0; i < n * 4; i += 4) {
        words[at++] = hashes[i + 1]!;
        words[at++] = hashes[i + 2]!;
        words[at++] = hashes[i + 3]!;
      }
    });
    return new HashedKeys(words);
  }

  /** From a log's bytes, which may begin at any address. */
  static fromBytes(bytes: Uint8Array): HashedKeys {
    return new HashedKeys(new Uint32Array(Uint8Array.from(bytes).buffer));
  }

  /** The line of key i among so many: the kernel's multiply and shift, in halves that a double holds. */
  lineOf(i: number, lines: number): number {
    const high = this.words[i * HASH_WORDS]!;
    return Math.floor(((high >>> 16) * lines + Math.floor(((high & 0xffff) * lines) / 65536)) / 65536);
  }

  /** Only these. */
  pick(indexes: readonly number[]): HashedKeys {
    const words = new Uint32Array(indexes.length * HASH_WORDS);
    let at = 0;
    for (const index of indexes) {
      for (let word = 0; word < HASH_WORDS; word++) words[at++] = this.words[index * HASH_WORDS + word]!;
    }
    return new HashedKeys(words);
  }

  /** All of them, so many at a time. */
  *slices(size: number): Generator<HashedKeys> {
    const step = size * HASH_WORDS;
    for (let at = 0; at < this.words.length; at += step) yield new HashedKeys(this.words.subarray(at, at + step));
  }

  bytes(): Uint8Array {
    return new Uint8Array(this.words.buffer, this.words.byteOffset, this.words.byteLength);
  }
}
