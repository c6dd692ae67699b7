import type { Kernel } from "./kernel.js";
import { BATCH, HASH, HASH_AT, HASHES_AT, INTEGERS, KEYS_AT, KEYS_SIZE, OFFSETS_AT, RESULTS_AT } from "./layout.js";

export type EngineKind = "wasm" | "js";

const { Buffer } = globalThis as { Buffer?: { from(buffer: ArrayBuffer, at: number, length: number): Uint8Array } };

/**
 * A kernel over a private memory, with the views of its scratch area. The views are made once: the memory never grows,
 * so they never detach, and a fresh view per call would cost more than the lookup.
 */
export class Instance {
  /** Key bytes on their way in (in Node a Buffer, for its utf8Write), and the same bytes as numbers. */
  readonly keys: Uint8Array;
  readonly longs: BigUint64Array;
  readonly words: Uint32Array;
  /** Where each key of a batch begins, and where the last one ends. */
  readonly offsets: Uint32Array;
  /** The hash made last, in 64-bit and in 32-bit parts. */
  readonly hash: BigUint64Array;
  readonly hashParts: Int32Array;
  /** A batch's hashes, in 32-bit parts, and its answers. */
  readonly hashes: Int32Array;
  readonly results: Uint8Array;
  readonly #instantiate: () => Kernel;
  #kernel: Kernel | undefined;

  constructor(
    readonly kind: EngineKind,
    readonly buffer: ArrayBuffer,
    instantiate: () => Kernel,
  ) {
    this.#instantiate = instantiate;
    this.keys = Buffer ? Buffer.from(buffer, KEYS_AT, KEYS_SIZE) : new Uint8Array(buffer, KEYS_AT, KEYS_SIZE);
    this.longs = new BigUint64Array(buffer, KEYS_AT, INTEGERS);
    this.words = new Uint32Array(buffer, KEYS_AT, INTEGERS * 2);
    this.offsets = new Uint32Array(buffer, OFFSETS_AT, BATCH + 1);
    this.hash = new BigUint64Array(buffer, HASH_AT, 2);
    this.hashParts = new Int32Array(buffer, HASH_AT, 4);
    this.hashes = new Int32Array(buffer, HASHES_AT, (BATCH * HASH) / 4);
    this.results = new Uint8Array(buffer, RESULTS_AT, BATCH);
  }

  /** Made when it is first needed: attach() does not need it. */
  get kernel(): Kernel {
    return (this.#kernel ??= this.#instantiate());
  }
}
