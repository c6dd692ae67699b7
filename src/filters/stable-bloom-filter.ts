import { classic } from "../engine/families/classic.js";
import { mustBe } from "../errors.js";
import type { Header, Parameters } from "../format/header.js";
import * as KINDS from "../format/kinds.js";
import { MAX_HASHES } from "../sizing/blocked.js";
import { CELL_BITS, forgottenAfter, type StableSize, stableErrorRate, stableSizeFor } from "../sizing/stable.js";
import { toSeed } from "./key-hash.js";
import { type EngineOptions, LineFilter, regionOf } from "./line-filter.js";
import { checkOptions } from "./options.js";

export interface StableBloomFilterOptions extends EngineOptions {
  /** For how many adds a key is to be remembered. */
  readonly capacity: number;
  /** The share of strangers it takes for members, however long the stream; 0.01 unless given. */
  readonly errorRate?: number;
  /** The share of keys it may have forgotten after `capacity` further adds, 1e-6 to 0.5; 0.01 unless given. */
  readonly forgetRate?: number;
  /** Bits of a cell: 1, 2, 4 or 8; what needs the least memory unless given. */
  readonly cellBits?: 1 | 2 | 4 | 8;
  /** Of the hash, 64 bits; 0 unless given. What fades depends on it too. */
  readonly seed?: number | bigint;
}

function parametersOf(options: StableBloomFilterOptions): Parameters {
  checkOptions(options, "{ capacity: 1_000_000, errorRate: 0.01, forgetRate: 0.01 }");
  const { capacity, errorRate = 0.01, forgetRate = 0.01, cellBits } = options;
  const seed = toSeed(options.seed);
  if (typeof forgetRate !== "number" || !(forgetRate >= 1e-6 && forgetRate <= 0.5)) {
    throw mustBe("forgetRate", forgetRate, "a number from 1e-6 to 0.5");
  }
  if (cellBits !== undefined && !CELL_BITS.includes(cellBits)) throw mustBe("cellBits", cellBits, "1, 2, 4 or 8");
  const size = stableSizeFor(capacity, errorRate, forgetRate, cellBits && [cellBits]);
  return {
    kind: KINDS.stable,
    capacity,
    errorRate,
    seed,
    hashes: size.hashes,
    lines: linesFor(size),
    detail: size.cells,
    detail2: size.cellBits * 2 ** 24 + size.fading,
  };
}

function linesFor({ cells, cellBits }: StableSize): number {
  return Math.ceil((cells * cellBits) / 512);
}

function sizeIn({ hashes, detail = 0, detail2 = 0 }: Parameters): StableSize {
  return { cells: detail, cellBits: detail2 >>> 24, hashes, fading: detail2 & 0xffffff };
}

/**
 * A Bloom filter for streams without end. Each add makes a few other cells fade, so that old keys are forgotten and the
 * error rate settles. It is the one Bloom filter here with false negatives: a key may be forgotten, the likelier the
 * longer ago it was added.
 */
export class StableBloomFilter extends LineFilter {
  static readonly kind = KINDS.stable;
  static readonly family = classic;

  constructor(options: StableBloomFilterOptions) {
    super(options, classic, () => parametersOf(options));
  }

  static isSound(header: Header): boolean {
    const size = sizeIn(header);
    const { cells, cellBits, hashes, fading } = size;
    return (
      CELL_BITS.some((bits) => bits === cellBits) &&
      hashes >= 1 &&
      hashes <= MAX_HASHES &&
      cells >= 2 &&
      fading >= 1 &&
      fading <= cells &&
      header.lines === linesFor(size)
    );
  }

  protected override tallyOf(): number {
    return regionOf(this).tally;
  }

  /** How many keys were added, repeats included. */
  get count(): number {
    return regionOf(this).tally;
  }

  /** The number of cells, and their bits. */
  get cells(): number {
    return sizeIn(this.parameters).cells;
  }

  get cellBits(): number {
    return sizeIn(this.parameters).cellBits;
  }

  /** How many cells fade with each add. */
  get fading(): number {
    return sizeIn(this.parameters).fading;
  }

  /** The error rate that an endless stream settles at, by the formula. */
  get stableErrorRate(): number {
    return stableErrorRate(sizeIn(this.parameters));
  }

  /** The share of keys that are forgotten so many adds after their own, by the formula. */
  forgetRateAfter(adds: number): number {
    if (typeof adds !== "number" || !(adds >= 0)) throw mustBe("adds", adds, "a number from 0 up");
    return forgottenAfter(adds, sizeIn(this.parameters));
  }

  /** The share of cells that are not zero. Reads them all. */
  get fillRatio(): number {
    const { cells, cellBits } = sizeIn(this.parameters);
    const full = 2 ** cellBits - 1;
    let filled = 0;
    for (const byte of regionOf(this).lines()) {
      for (let cell = 0; cell < 8; cell += cellBits) filled += (byte >>> cell) & full ? 1 : 0;
    }
    return filled / cells;
  }

  /** The error rate now, from the cells that are not zero. Reads them all. */
  get currentErrorRate(): number {
    return this.fillRatio ** this.hashes;
  }
}
