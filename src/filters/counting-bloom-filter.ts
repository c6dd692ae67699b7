import { deleting } from "../engine/families/deleting.js";
import { DELETE, type DeletingKernel } from "../engine/kernel.js";
import { KEYS_AT } from "../engine/layout.js";
import { Lock } from "../engine/lock.js";
import { mustBe } from "../errors.js";
import type { Header, Parameters } from "../format/header.js";
import * as KINDS from "../format/kinds.js";
import { PIECE } from "../format/lines.js";
import type { Key } from "../keys/key.js";
import { keysFromOnes, MAX_HASHES, rateAtMean } from "../sizing/blocked.js";
import { countingSizeFor } from "../sizing/counting.js";
import { CompactBloomFilter } from "./compact-bloom-filter.js";
import { deleteHash } from "./delete-hash.js";
import { type KeyHash, toSeed } from "./key-hash.js";
import { type EngineOptions, emptyFrom, LineFilter, regionOf } from "./line-filter.js";
import { checkOptions } from "./options.js";

export interface CountingBloomFilterOptions extends EngineOptions {
  /** How many keys the filter is to hold at a time. */
  readonly capacity: number;
  /** The share of strangers it may take for members at capacity, 1e-6 to 0.5; 0.01 unless given. */
  readonly errorRate?: number;
  /** Bits of a counter, 4 or 8; 4 unless given, which suffices where a key is added a few times at most. */
  readonly counterBits?: 4 | 8;
  /** Of the hash, 64 bits; 0 unless given. */
  readonly seed?: number | bigint;
}

function parametersOf(options: CountingBloomFilterOptions): Parameters {
  checkOptions(options, "{ capacity: 1_000_000, errorRate: 0.01 }");
  const { capacity, errorRate = 0.01, counterBits = 4, seed } = options;
  if (counterBits !== 4 && counterBits !== 8) throw mustBe("counterBits", counterBits, "4 or 8");
  const { lines, hashes } = countingSizeFor(capacity, errorRate, 512 / counterBits);
  return { kind: KINDS.counting, capacity, errorRate, seed: toSeed(seed), lines, hashes, detail: counterBits };
}

/**
 * A Bloom filter of counters, from which keys can be deleted. A key's counters all lie in one 64-byte line.
 *
 * `has` never says no to a key that was added more often than deleted. A counter that reaches its maximum sticks there,
 * since it no longer knows how many keys it counts: the key stays, and no other is lost. Delete only what was added: a
 * stranger that `has` takes for a member is taken away from the members whose counters it shares.
 */
export class CountingBloomFilter extends LineFilter {
  static readonly kind = KINDS.counting;
  static readonly family = deleting;

  readonly #lock: Lock | undefined;

  constructor(options: CountingBloomFilterOptions) {
    super(options, deleting, () => parametersOf(options));
    this.#lock = this.shared ? new Lock(regionOf(this).buffer) : undefined;
  }

  static isSound({ hashes, detail, detail2 }: Header): boolean {
    return hashes >= 1 && hashes <= MAX_HASHES && (detail === 4 || detail === 8) && !detail2;
  }

  /** The header counts keys, which the counters do not tell. */
  protected override tallyOf(): number {
    return regionOf(this).tally;
  }

  get counterBits(): number {
    return this.parameters.detail as number;
  }

  /** Counters of a line: 128 or 64. */
  get #cells(): number {
    return 512 / this.counterBits;
  }

  /** How many keys are here: those added, less those deleted. */
  get count(): number {
    return regionOf(this).tally;
  }

  /** The share of counters that are not zero: about a half at capacity. Reads the whole filter. */
  get fillRatio(): number {
    return this.#countAtLeast(1) / (this.lines * this.#cells);
  }

  /** How many counters have reached their maximum; the keys they belong to cannot wholly be deleted. Reads the whole filter. */
  get stuckCounters(): number {
    return this.#countAtLeast(2 ** this.counterBits - 1);
  }

  /** The error rate now, from the counters that are not zero. Reads the whole filter. */
  get currentErrorRate(): number {
    const keys = keysFromOnes(this.#countAtLeast(1), this.lines, this.hashes, this.#cells);
    return rateAtMean(keys / this.lines, this.hashes, this.#cells);
  }

  /** Adds a key, once more if it is there already. Always true. */
  override add(key: Key): boolean {
    return super.add(key);
  }

  /** Takes a key away, once. False: it was certainly not here, and nothing has changed. */
  delete(key: Key): boolean {
    return this.#lock ? this.deleteHash(this.hash(key)) : this.act(key, DELETE);
  }

  deleteHash(hash: KeyHash): boolean {
    if (!this.#lock) return deleteHash(this, hash);
    regionOf(this).checkWritable();
    // Two threads that delete the same last key would both find it, and take what belongs to others. Each counts for
    // itself, so the kernel does not know when nothing is left but counters that stick.
    return this.#lock.hold(() => this.hasHash(hash) && this.count > 0 && deleteHash(this, hash));
  }

  /**
   * The keys that are here now, in a bit each where there was a counter: a fourth or an eighth of the memory, and the same
   * answer to every key. It is not a BloomFilter, whose keys spread over 512 bits: here they lie in 128 or 64.
   */
  toBloomFilter(options: EngineOptions = { engine: this.engine }): CompactBloomFilter {
    const { capacity, errorRate, seed, hashes, lines } = this;
    const detail = this.#cells;
    const parameters = { kind: KINDS.compact, capacity, errorRate, seed, hashes, detail, detail2: lines };
    const bitLines = Math.ceil(lines / this.counterBits);
    const compact = emptyFrom(CompactBloomFilter, { ...parameters, lines: bitLines }, options);
    const region = regionOf(compact);
    region.tally = this.#countAtLeast(1, (bits, at) => region.lines().set(bits, at));
    return compact;
  }

  /** How many counters have this value or more; `take` gets a bit for each counter, piece by piece. */
  #countAtLeast(least: number, take?: (bits: Uint8Array, at: number) => void): number {
    const { stage } = regionOf(this);
    const lines = regionOf(this).lines();
    const kernel = stage.kernel as DeletingKernel;
    let all = 0;
    for (let at = 0; at < lines.length; at += PIECE) {
      const piece = lines.subarray(at, at + PIECE);
      const bytes = piece.length / this.counterBits;
      stage.keys.set(piece);
      kernel.packCells(KEYS_AT, piece.length, Math.log2(this.counterBits), least);
      // popcount takes 16 bytes at a time.
      stage.keys.fill(0, bytes, bytes + 8);
      all += kernel.popcount(KEYS_AT, Math.ceil(bytes / 16) * 16);
      take?.(stage.keys.subarray(0, bytes), at / this.counterBits);
    }
    return all;
  }
}
