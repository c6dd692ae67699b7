import { core } from "../engine/families/core.js";
import { LINE } from "../engine/layout.js";
import type { Header, Parameters } from "../format/header.js";
import * as KINDS from "../format/kinds.js";
import { keysFromOnes, MAX_HASHES, rateAtMean, sizeByHand, sizeFor } from "../sizing/blocked.js";
import { BitFilter } from "./bit-filter.js";
import { toSeed } from "./key-hash.js";
import type { EngineOptions } from "./line-filter.js";
import { checkOptions } from "./options.js";

export interface BloomFilterOptions extends EngineOptions {
  /** How many keys the filter is to hold. */
  readonly capacity: number;
  /** The share of strangers it may take for members at capacity, 1e-9 to 0.5; 0.01 unless given. */
  readonly errorRate?: number;
  /** Instead of errorRate: bits per key, by hand … */
  readonly bitsPerKey?: number;
  /** … and positions per key, the best number unless given. */
  readonly hashes?: number;
  /** Of the hash, 64 bits; 0 unless given. Filters that are to be merged or asked with one hash need the same. */
  readonly seed?: number | bigint;
}

/** What a filter of these options would be, without its memory. */
export function parametersOf(options: BloomFilterOptions): Parameters {
  checkOptions(options, "{ capacity: 1_000_000, errorRate: 0.01 }");
  const { capacity, errorRate = 0.01, bitsPerKey, hashes } = options;
  const byHand = bitsPerKey !== undefined;
  if (byHand && options.errorRate !== undefined) {
    throw new TypeError("errorRate and bitsPerKey say the same; give one of them.");
  }
  if (!byHand && hashes !== undefined) throw new TypeError("hashes goes with bitsPerKey; give both.");
  const size = byHand ? sizeByHand(capacity, bitsPerKey, hashes) : sizeFor(capacity, errorRate);
  return {
    kind: KINDS.bloom,
    capacity,
    errorRate: byHand ? size.errorRate : errorRate,
    seed: toSeed(options.seed),
    lines: size.lines,
    hashes: size.hashes,
  };
}

/**
 * The cache-line Bloom filter: a key's bits all lie in one 64-byte line, so that a lookup costs one cache miss at most.
 * `has` never says no to a key that was added; it says yes to a stranger at the error rate.
 */
export class BloomFilter extends BitFilter {
  static readonly kind = KINDS.bloom;
  static readonly family = core;

  constructor(options: BloomFilterOptions) {
    super(options, core, () => parametersOf(options));
  }

  static isSound({ hashes, lines, tally, detail, detail2 }: Header): boolean {
    return hashes >= 1 && hashes <= MAX_HASHES && tally <= lines * LINE * 8 && !detail && !detail2;
  }

  protected override keysFromOnes(ones: number): number {
    return keysFromOnes(ones, this.lines, this.hashes);
  }

  protected override rateAt(keys: number): number {
    return rateAtMean(keys / this.lines, this.hashes);
  }
}
