import { deleting } from "../engine/families/deleting.js";
import type { DeletingKernel } from "../engine/kernel.js";
import { BATCH, HASH_AT, KEYS_AT } from "../engine/layout.js";
import { BloomlineError, show } from "../errors.js";
import type { Header, Parameters } from "../format/header.js";
import * as KINDS from "../format/kinds.js";
import {
  MAX_REMAINDER_BITS,
  quotientFits,
  quotientLines,
  quotientRate,
  quotientSize,
  quotientSizeFor,
} from "../sizing/quotient.js";
import { toSeed } from "./key-hash.js";
import { emptyFrom, regionOf } from "./line-filter.js";
import { checkOptions } from "./options.js";
import { SlotFilter, type SlotFilterOptions } from "./slot-filter.js";

export interface QuotientFilterOptions extends SlotFilterOptions {
  /** How many keys the filter is to hold at a time. */
  readonly capacity: number;
  /** The share of strangers it may take for members at capacity, 1e-9 to 0.5; 0.01 unless given. */
  readonly errorRate?: number;
  /** Instead of errorRate: the bits of a remainder, 1 to 32. Each halves the rate, and each `grow` takes one. */
  readonly remainderBits?: number;
  /** Of the hash, 64 bits; 0 unless given. */
  readonly seed?: number | bigint;
}

/** A key has one home. */
const HASHES = 1;

function parametersOf(options: QuotientFilterOptions): Parameters {
  checkOptions(options, "{ capacity: 1_000_000, errorRate: 0.01 }");
  const { capacity, errorRate = 0.01, remainderBits, seed } = options;
  if (remainderBits !== undefined && options.errorRate !== undefined) {
    throw new TypeError("errorRate and remainderBits say the same; give one of them.");
  }
  const size =
    remainderBits === undefined
      ? { ...quotientSizeFor(capacity, errorRate), errorRate }
      : quotientSize(capacity, remainderBits);
  return {
    kind: KINDS.quotient,
    capacity,
    errorRate: size.errorRate,
    seed: toSeed(seed),
    lines: size.lines,
    hashes: HASHES,
    detail: size.slots,
    detail2: size.remainderBits,
  };
}

/**
 * A filter that keeps the fingerprint of each key, in order: it can delete, list its fingerprints, be merged with another,
 * and grow without its keys. The same keys give the same bytes in whatever order they came and others went.
 *
 * `has` never says no to a key that was added more often than deleted. A key may be added any number of times, each in a
 * slot. Delete only what was added: a stranger that `has` takes for a member has the fingerprint of one, which would be
 * deleted instead.
 */
export class QuotientFilter extends SlotFilter {
  static readonly kind = KINDS.quotient;
  static readonly family = deleting;

  constructor(options: QuotientFilterOptions) {
    super(options, deleting, () => parametersOf(options));
  }

  static isSound({ hashes, lines, tally, detail: slots = 0, detail2: bits = 0 }: Header): boolean {
    return (
      hashes === HASHES &&
      slots >= 2 &&
      bits >= 1 &&
      bits <= MAX_REMAINDER_BITS &&
      lines === quotientLines(slots, bits) &&
      tally < slots
    );
  }

  override get slots(): number {
    return this.parameters.detail as number;
  }

  get remainderBits(): number {
    return this.parameters.detail2 as number;
  }

  /** The error rate now, from the slots that are full. */
  get currentErrorRate(): number {
    return quotientRate(this.fillRatio, this.remainderBits);
  }

  /** Fingerprints are below this. It stays the same as the filter grows. */
  get fingerprintSpace(): bigint {
    return BigInt(this.slots) << BigInt(this.remainderBits);
  }

  /** The fingerprint of every key, as often as it was added. Do not add or delete meanwhile. */
  *fingerprints(): Generator<bigint, void> {
    for (const some of this.#lists()) yield* some;
  }

  /** Adds all that the other filter holds; it may be of any size if it is of the same seed and fingerprint space. */
  merge(other: QuotientFilter): this {
    this.#checkMergeable(other);
    const { stage, at } = regionOf(this);
    for (const some of (other === this ? this.clone() : other).#lists()) {
      stage.longs.set(some);
      (stage.kernel as DeletingKernel).addFingerprints(at, KEYS_AT, some.length);
    }
    return this;
  }

  /**
   * A filter with twice the slots that holds the same; this one stays as it is. Each remainder gives a bit to its quotient,
   * so at twice the keys the error rate is twice as high.
   */
  grow(): QuotientFilter {
    const { slots, remainderBits, capacity, errorRate } = this;
    if (remainderBits === 1) {
      throw new BloomlineError(
        "ERR_FULL",
        "The filter cannot grow: its remainders have 1 bit left. Start with a lower errorRate, or more remainderBits.",
      );
    }
    if (!quotientFits(slots * 2, remainderBits - 1)) {
      throw new BloomlineError(
        "ERR_FULL",
        `The filter cannot grow: ${slots * 2} slots of ${remainderBits + 2} bits are more than a filter can have. Use several filters.`,
      );
    }
    const larger: Parameters = {
      ...this.parameters,
      capacity: capacity * 2,
      errorRate: Math.min(1, errorRate * 2),
      lines: quotientLines(slots * 2, remainderBits - 1),
      detail: slots * 2,
      detail2: remainderBits - 1,
    };
    return emptyFrom(QuotientFilter, larger, this.runtime).merge(this);
  }

  /** Lists of fingerprints, copied out of the kernel's memory: others may use it in between. */
  *#lists(): Generator<BigUint64Array, void> {
    const walk = new Int32Array(4);
    const source = this.inPrivate();
    for (;;) {
      const { stage, at } = regionOf(source);
      stage.hashParts.set(walk);
      const n = (stage.kernel as DeletingKernel).listFingerprints(at, HASH_AT, KEYS_AT, BATCH);
      walk.set(stage.hashParts);
      if (n === 0) return;
      yield stage.longs.slice(0, n);
    }
  }

  #checkMergeable(other: QuotientFilter): void {
    if (
      !(other instanceof QuotientFilter) ||
      other.seed !== this.seed ||
      other.fingerprintSpace !== this.fingerprintSpace
    ) {
      throw new BloomlineError(
        "ERR_INCOMPATIBLE",
        `Cannot merge: this is ${describe(this)}, the other is ${describe(other)}. Build both with the same options.`,
      );
    }
    this.checkWritable();
    if (this.count + other.count >= this.slots) {
      throw new BloomlineError(
        "ERR_FULL",
        `Cannot merge: ${this.count} and ${other.count} keys do not fit in ${this.slots} slots. Merge into this.grow().`,
      );
    }
  }
}

function describe(filter: unknown): string {
  if (!(filter instanceof QuotientFilter)) return show(filter);
  const { slots, remainderBits, seed } = filter;
  return `a QuotientFilter with slots ${slots}, remainderBits ${remainderBits}, seed ${seed}`;
}
