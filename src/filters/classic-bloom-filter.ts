import { classic } from "../engine/families/classic.js";
import type { Header, Parameters } from "../format/header.js";
import * as KINDS from "../format/kinds.js";
import { checkCapacity, checkHashes, MAX_HASHES } from "../sizing/blocked.js";
import {
  bestClassicHashes,
  bitsFor,
  checkBits,
  classicKeysFromOnes,
  doubleHashingRate,
  MAX_BITS,
} from "../sizing/classic.js";
import { BitFilter } from "./bit-filter.js";
import { toSeed } from "./key-hash.js";
import type { EngineOptions } from "./line-filter.js";
import { checkOptions } from "./options.js";

export interface ClassicBloomFilterOptions extends EngineOptions {
  /** How many keys the filter is to hold; with `bits`, as many as fill half of them unless given. */
  readonly capacity?: number;
  /** The share of strangers it may take for members at capacity, 1e-9 to 0.5; 0.01 unless given. */
  readonly errorRate?: number;
  /** Instead of errorRate: the number of bits, by hand … */
  readonly bits?: number;
  /** … and of positions per key. */
  readonly hashes?: number;
  /** Of the hash, 64 bits; 0 unless given. */
  readonly seed?: number | bigint;
}

function parametersOf(options: ClassicBloomFilterOptions): Parameters {
  checkOptions(options, "{ capacity: 1_000_000, errorRate: 0.01 } or { bits: 9_585_059, hashes: 7 }");
  const seed = toSeed(options.seed);
  const { errorRate = 0.01 } = options;
  let { capacity, bits, hashes } = options;
  if (bits === undefined) {
    if (hashes !== undefined) throw new TypeError("hashes goes with bits; give both, or neither.");
    checkCapacity(capacity);
    bits = bitsFor(capacity, errorRate);
    return parameters(capacity, errorRate, bits, bestClassicHashes(capacity, bits), seed);
  }
  if (options.errorRate !== undefined) throw new TypeError("errorRate and bits say the same; give one of them.");
  checkBits(bits);
  if (hashes !== undefined) checkHashes(hashes);
  capacity ??= Math.max(1, Math.round((bits * Math.LN2) / (hashes ?? 7)));
  checkCapacity(capacity);
  hashes ??= bestClassicHashes(capacity, bits);
  return parameters(capacity, doubleHashingRate(capacity, bits, hashes), bits, hashes, seed);
}

function parameters(capacity: number, errorRate: number, bits: number, hashes: number, seed: bigint): Parameters {
  return {
    kind: KINDS.classic,
    capacity,
    errorRate,
    seed,
    hashes,
    lines: linesFor(bits),
    detail: bits % 2 ** 32,
    detail2: Math.floor(bits / 2 ** 32),
  };
}

function linesFor(bits: number): number {
  return Math.ceil(bits / 512);
}

function bitsIn({ detail = 0, detail2 = 0 }: Parameters): number {
  return detail2 * 2 ** 32 + detail;
}

/**
 * The textbook Bloom filter: a key's bits lie anywhere in the whole. At low error rates it is smaller than BloomFilter,
 * and slower where it outgrows the cache: a lookup costs up to as many cache misses as there are hashes.
 */
export class ClassicBloomFilter extends BitFilter {
  static readonly kind = KINDS.classic;
  static readonly family = classic;

  constructor(options: ClassicBloomFilterOptions) {
    super(options, classic, () => parametersOf(options));
  }

  static isSound(header: Header): boolean {
    const { hashes, lines, tally } = header;
    const bits = bitsIn(header);
    return (
      bits >= 2 && bits <= MAX_BITS && lines === linesFor(bits) && tally <= bits && hashes >= 1 && hashes <= MAX_HASHES
    );
  }

  /** How many bits a key can land on: m. */
  override get bits(): number {
    return bitsIn(this.parameters);
  }

  override get bitsPerKey(): number {
    return this.bits / this.capacity;
  }

  protected override keysFromOnes(ones: number): number {
    return classicKeysFromOnes(ones, this.bits, this.hashes);
  }

  protected override rateAt(keys: number): number {
    return doubleHashingRate(keys, this.bits, this.hashes);
  }
}
