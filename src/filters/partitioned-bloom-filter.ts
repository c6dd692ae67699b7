import { classic } from "../engine/families/classic.js";
import type { Header, Parameters } from "../format/header.js";
import * as KINDS from "../format/kinds.js";
import { MAX_HASHES } from "../sizing/blocked.js";
import { partitionedKeysFromOnes, partitionedRate, partitionedSizeFor } from "../sizing/partitioned.js";
import { BitFilter } from "./bit-filter.js";
import { toSeed } from "./key-hash.js";
import type { EngineOptions } from "./line-filter.js";
import { checkOptions } from "./options.js";

export interface PartitionedBloomFilterOptions extends EngineOptions {
  /** How many keys the filter is to hold. */
  readonly capacity: number;
  /** The share of strangers it may take for members at capacity, 1e-9 to 0.5; 0.01 unless given. */
  readonly errorRate?: number;
  /** Of the hash, 64 bits; 0 unless given. */
  readonly seed?: number | bigint;
}

function parametersOf(options: PartitionedBloomFilterOptions): Parameters {
  checkOptions(options, "{ capacity: 1_000_000, errorRate: 0.01 }");
  const { capacity, errorRate = 0.01 } = options;
  const seed = toSeed(options.seed);
  const { hashes, sliceBits } = partitionedSizeFor(capacity, errorRate);
  const lines = linesFor(hashes, sliceBits);
  return { kind: KINDS.partitioned, capacity, errorRate, seed, hashes, lines, detail: sliceBits, detail2: 0 };
}

function linesFor(hashes: number, sliceBits: number): number {
  return Math.ceil((hashes * sliceBits) / 512);
}

/**
 * A Bloom filter of k equal slices with one bit of each key in every slice. No key ever owns fewer than k bits, so the
 * error rate is the same for all strangers.
 */
export class PartitionedBloomFilter extends BitFilter {
  static readonly kind = KINDS.partitioned;
  static readonly family = classic;

  constructor(options: PartitionedBloomFilterOptions) {
    super(options, classic, () => parametersOf(options));
  }

  static isSound({ hashes, lines, tally, detail = 0, detail2 }: Header): boolean {
    const fits = lines === linesFor(hashes, detail) && tally <= hashes * detail;
    return hashes >= 1 && hashes <= MAX_HASHES && detail >= 2 && fits && !detail2;
  }

  /** Bits of a slice. */
  get sliceBits(): number {
    return this.parameters.detail as number;
  }

  /** How many bits there are in all slices. */
  override get bits(): number {
    return this.sliceBits * this.hashes;
  }

  override get bitsPerKey(): number {
    return this.bits / this.capacity;
  }

  protected override keysFromOnes(ones: number): number {
    return partitionedKeysFromOnes(ones, this.sliceBits, this.hashes);
  }

  protected override rateAt(keys: number): number {
    return partitionedRate(keys, this.sliceBits, this.hashes);
  }
}
