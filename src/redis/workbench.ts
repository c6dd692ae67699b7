import type { Instance } from "../engine/instance.js";
import { ADD, HAS } from "../engine/kernel.js";
import { BATCH, HASHES_AT, LINE, RESULTS_AT } from "../engine/layout.js";
import type { Region } from "../engine/region.js";
import { BloomFilter } from "../filters/bloom-filter.js";
import { emptyFrom, regionOf } from "../filters/line-filter.js";
import * as KINDS from "../format/kinds.js";
import { HASH_WORDS, type HashedKeys } from "./hashed-keys.js";

/** A step in h1 from one of the workbench's lines to the next: 2^32 / BATCH. */
const STEP = 2 ** 32 / BATCH;

/**
 * A filter of BATCH lines in which the i-th key of a batch is given the i-th line. So the kernel itself makes the lines
 * that Redis is to OR, and probes the lines that Redis returned; no bit is computed here.
 */
export class Workbench {
  private readonly filter: BloomFilter;
  private readonly region: Region;

  constructor(hashes: number, seed: bigint) {
    const parameters = { kind: KINDS.bloom, capacity: BATCH, errorRate: 0.01, seed, lines: BATCH, hashes };
    this.filter = emptyFrom(BloomFilter, parameters, {});
    this.region = regionOf(this.filter);
  }

  get stage(): Instance {
    return this.region.stage;
  }

  /** The lines of up to BATCH keys, each with its key's bits and no others. A view: use it at once. */
  linesOf(keys: HashedKeys): Uint8Array {
    this.region.clear();
    this.place(keys);
    this.region.kernel.actHashes(this.region.at, HASHES_AT, keys.count, RESULTS_AT, ADD);
    return this.region.lines().subarray(0, keys.count * LINE);
  }

  /** For each of up to BATCH keys, whether its line has its bits. A view: use it at once. */
  probe(keys: HashedKeys, lines: Uint8Array): Uint8Array {
    this.region.lines().set(lines);
    this.place(keys);
    this.region.kernel.actHashes(this.region.at, HASHES_AT, keys.count, RESULTS_AT, HAS);
    return this.stage.results.subarray(0, keys.count);
  }

  private place({ words, count }: HashedKeys): void {
    const { hashes } = this.stage;
    for (let i = 0; i < count; i++) {
      hashes[i * 4] = 0;
      hashes[i * 4 + 1] = i * STEP;
      hashes[i * 4 + 2] = words[i * HASH_WORDS + 1]!;
      hashes[i * 4 + 3] = words[i * HASH_WORDS + 2]!;
    }
  }
}
