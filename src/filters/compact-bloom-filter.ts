import { deleting } from "../engine/families/deleting.js";
import { mustBe } from "../errors.js";
import type { Header, Parameters } from "../format/header.js";
import * as KINDS from "../format/kinds.js";
import { keysFromOnes, MAX_HASHES, rateAtMean } from "../sizing/blocked.js";
import { countingSizeFor } from "../sizing/counting.js";
import { BitFilter } from "./bit-filter.js";
import { toSeed } from "./key-hash.js";
import type { EngineOptions } from "./line-filter.js";
import { checkOptions } from "./options.js";

export interface CompactBloomFilterOptions extends EngineOptions {
  /** How many keys the filter is to hold. */
  readonly capacity: number;
  /** The share of strangers it may take for members at capacity, 1e-6 to 0.5; 0.01 unless given. */
  readonly errorRate?: number;
  /** Bits of a block, 128 (unless given) or 64: as many as the counters in a line of the CountingBloomFilter it is to match. */
  readonly blockBits?: 128 | 64;
  /** Of the hash, 64 bits; 0 unless given. */
  readonly seed?: number | bigint;
}

function linesFor(blocks: number, blockBits: number): number {
  return Math.ceil((blocks * blockBits) / 512);
}

function parametersOf(options: CompactBloomFilterOptions): Parameters {
  checkOptions(options, "{ capacity: 1_000_000, errorRate: 0.01 }");
  const { capacity, errorRate = 0.01, blockBits = 128, seed } = options;
  if (blockBits !== 128 && blockBits !== 64) throw mustBe("blockBits", blockBits, "128 or 64");
  const { lines: blocks, hashes } = countingSizeFor(capacity, errorRate, blockBits);
  const lines = linesFor(blocks, blockBits);
  const { compact: kind } = KINDS;
  return { kind, capacity, errorRate, seed: toSeed(seed), lines, hashes, detail: blockBits, detail2: blocks };
}

/**
 * What a CountingBloomFilter becomes when its counters are made bits: a Bloom filter of blocks of 128 or 64 bits. It needs
 * somewhat more memory than a BloomFilter for the same rate; use it for what once was, or is to be merged with, a
 * counting filter.
 */
export class CompactBloomFilter extends BitFilter {
  static readonly kind = KINDS.compact;
  static readonly family = deleting;

  constructor(options: CompactBloomFilterOptions) {
    super(options, deleting, () => parametersOf(options));
  }

  static isSound({ hashes, lines, tally, detail = 0, detail2: blocks = 0 }: Header): boolean {
    return (
      hashes >= 1 &&
      hashes <= MAX_HASHES &&
      (detail === 128 || detail === 64) &&
      blocks >= 1 &&
      lines === linesFor(blocks, detail) &&
      tally <= blocks * detail
    );
  }

  get blockBits(): number {
    return this.parameters.detail as number;
  }

  get blocks(): number {
    return this.parameters.detail2 as number;
  }

  protected override get bits(): number {
    return this.blocks * this.blockBits;
  }

  protected override keysFromOnes(ones: number): number {
    return keysFromOnes(ones, this.blocks, this.hashes, this.blockBits);
  }

  protected override rateAt(keys: number): number {
    return rateAtMean(keys / this.blocks, this.hashes, this.blockBits);
  }
}
