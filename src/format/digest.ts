import type { Instance } from "../engine/instance.js";
import { HASH_AT } from "../engine/layout.js";

/** The checksum and the number of set bits of a filter's lines, taken piece by piece; others may use the kernel in between. */
export class Digest {
  ones = 0;
  #total = 0;
  readonly #state = new BigUint64Array(2);

  readonly #stage: Instance;

  constructor(stage: Instance) {
    this.#stage = stage;
  }

  /** Takes `length` bytes of linear memory, a multiple of 64 and at most 256 MiB. */
  update(at: number, length: number): void {
    const { kernel, hash } = this.#stage;
    hash.set(this.#state);
    kernel.hashPiece(HASH_AT, at, length);
    this.#state.set(hash);
    this.ones += kernel.popcount(at, length);
    this.#total += length;
  }

  checksum(): bigint {
    const { kernel, hash } = this.#stage;
    hash.set(this.#state);
    kernel.hashEnd(HASH_AT, this.#total);
    return hash[0] as bigint;
  }
}
