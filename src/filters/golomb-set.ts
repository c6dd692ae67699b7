import type { EngineChoice } from "../engine/backend.js";
import { frozen } from "../engine/families/frozen.js";
import { HEAD, LINE, MAX_LINES } from "../engine/layout.js";
import { BloomlineError, show } from "../errors.js";
import type { Header, Parameters } from "../format/header.js";
import * as KINDS from "../format/kinds.js";
import { checkEachKey, checkKeys, type Keys } from "../keys/batch.js";
import { checkCapacity, checkErrorRate } from "../sizing/blocked.js";
import { bucketsOf, golombLimit, golombSizeFor } from "../sizing/golomb.js";
import { HashList } from "./hash-list.js";
import { toSeed } from "./key-hash.js";
import { type EngineOptions, emptyFrom, ReadableFilter, regionOf } from "./line-filter.js";
import { checkOptions } from "./options.js";
import { useFrom } from "./use-from.js";
import { MAX_ROUNDS, unbuildable, Workspace, withStage } from "./workspace.js";

export interface GolombSetOptions extends EngineOptions {
  /** The share of strangers it may take for members, 1e-9 to 0.5; 0.01 unless given. */
  readonly errorRate?: number;
  /** For how many keys the rate is meant: those given, unless others are to be merged in later. */
  readonly capacity?: number;
  /** Of the hash, 64 bits; 0 unless given. */
  readonly seed?: number | bigint;
}

/** What the decoder may read behind the last code. */
const OVERHANG = 24;

/** Zeros in a bucket's quotients at most, as a power of two: a bucket is about 2^6.5 remainders wide. */
const MAX_STEPS = 10;

/** A remainder is read in one go, from any bit of a byte. */
const MAX_RICE = 56;

/** How sorted values are written. */
interface Plan {
  readonly seed: bigint;
  readonly capacity: number;
  readonly errorRate: number;
  readonly rounds: number;
}

function linesFor(buckets: number, bits: number): number {
  return Math.ceil((buckets * 4 + Math.ceil(bits / 8) + OVERHANG) / LINE);
}

function fieldsOf({ detail = 0, detail2 = 0 }: Header | Parameters) {
  return { rice: detail & 255, width: (detail >>> 8) & 255, rounds: (detail >>> 16) & 255, bits: detail2 };
}

function checkLimit(capacity: number, errorRate: number): void {
  if (golombLimit(capacity, errorRate) > Number.MAX_SAFE_INTEGER) {
    throw new RangeError(
      `capacity is ${capacity} at an error rate of ${errorRate}; their quotient must be below 2^53. Raise errorRate.`,
    );
  }
}

/** As much as n values can take, behind a head: no gap is coded in more than 57 bits on average. */
function roomFor(n: number): number {
  return HEAD + n * 8 + 4 * LINE;
}

/** Writes n sorted, distinct values at `list` to a head and lines at `image`; undefined where a bucket is too full. */
function encode(space: Workspace, image: number, list: number, n: number, plan: Plan): Parameters | undefined {
  const { seed, capacity, errorRate, rounds } = plan;
  const { rice, width, buckets } = golombSizeFor(n, golombLimit(capacity, errorRate));
  const parameters = (bits: number): Parameters => ({
    kind: KINDS.golomb,
    hashes: 1,
    lines: linesFor(buckets, bits),
    seed,
    capacity,
    errorRate,
    detail: rice | (width << 8) | (rounds << 16),
    detail2: bits,
  });
  space.bytes(image, roomFor(n)).fill(0);
  space.putHead(image, parameters(0));
  const bits = space.kernel.golombEncode(image, list, n);
  return bits < 0 ? undefined : parameters(bits);
}

/** The filter whose lines were written at `image`. */
function setOf(
  space: Workspace,
  image: number,
  count: number,
  parameters: Parameters,
  options: EngineOptions,
): GolombSet {
  if (parameters.lines > MAX_LINES) throw new RangeError(`${count} values do not fit in 4 GiB. Use several sets.`);
  const set = emptyFrom(GolombSet, parameters, options);
  const region = regionOf(set);
  region.lines().set(space.bytes(image + HEAD, region.bytes - HEAD));
  region.tally = count;
  return set;
}

/**
 * A set of hashes, sorted and Golomb-coded: at any error rate within 0.6 bits a key of the least there can be, the
 * index included. Built once from all its keys, then only read, at some ten times the time of a BloomFilter.
 */
export class GolombSet extends ReadableFilter {
  static readonly kind = KINDS.golomb;
  static readonly family = frozen;

  /** @internal */
  constructor(options: EngineOptions) {
    super(options, frozen, () => {
      throw useFrom("GolombSet");
    });
  }

  /** A set of these keys; one that comes twice counts once. */
  static from(keys: Keys, options: GolombSetOptions = {}): GolombSet {
    checkOptions(options, "{ errorRate: 0.001 }");
    const { errorRate = 0.01, engine = "auto", shared = false } = options;
    checkErrorRate(errorRate);
    if (options.capacity !== undefined) {
      checkCapacity(options.capacity);
      checkLimit(options.capacity, errorRate);
    }
    const seed = toSeed(options.seed);
    checkKeys(keys);
    checkEachKey(keys);
    const list = withStage(engine, (stage) => new HashList(keys, seed, stage));
    const { length } = list;
    const space = new Workspace(engine, length * 8 + roomFor(length) + 2 * LINE);
    try {
      const values = space.take(length * 8);
      const image = space.take(roomFor(length));
      for (let rounds = 0; rounds < MAX_ROUNDS; rounds++) {
        list.copyTo(space.words(values, length * 2), 2);
        for (let i = 0; i < rounds; i++) space.kernel.remixAll(values, length, 8);
        const count = space.sort(values, length, 8, image);
        const capacity = options.capacity ?? Math.max(1, count);
        checkLimit(capacity, errorRate);
        const plan = { seed, capacity, errorRate, rounds };
        space.putHead(image, { ...plan, kind: KINDS.golomb, hashes: 1, lines: 1 });
        space.kernel.golombRange(image, values, count);
        const distinct = space.kernel.distinct(values, count, 8);
        const parameters = encode(space, image, values, distinct, plan);
        if (parameters) return setOf(space, image, distinct, parameters, { engine, shared });
      }
      throw unbuildable();
    } finally {
      space.release();
    }
  }

  static isSound(header: Header): boolean {
    const { hashes, lines, capacity, errorRate, tally, detail = 0 } = header;
    const { rice, width, rounds, bits } = fieldsOf(header);
    const limit = golombLimit(capacity, errorRate);
    return (
      hashes === 1 &&
      limit <= Number.MAX_SAFE_INTEGER &&
      detail < 2 ** 24 &&
      rounds < MAX_ROUNDS &&
      rice <= MAX_RICE &&
      width >= rice &&
      width <= rice + MAX_STEPS &&
      width < 64 &&
      tally <= bits &&
      linesFor(bucketsOf(limit, width), bits) === lines
    );
  }

  /** How many distinct values its keys have: as many as keys, but for a few that share one. */
  get count(): number {
    return regionOf(this).tally;
  }

  /** What its values are below. */
  get limit(): number {
    return golombLimit(this.capacity, this.errorRate);
  }

  /** The error rate now: below `errorRate` while there is room for others, above it once there are more than `capacity`. */
  get currentErrorRate(): number {
    return this.count / this.limit;
  }

  /** The hashed values, in ascending order. */
  *values(): Generator<number, void> {
    const halves = withValues([this], this.engine, (space, list, n) => space.words(list, n * 2).slice());
    for (let i = 0; i < halves.length; i += 2) yield (halves[i + 1]! >>> 0) * 2 ** 32 + (halves[i]! >>> 0);
  }

  [Symbol.iterator](): Generator<number, void> {
    return this.values();
  }

  /** A new set of both; they must be of the same capacity, error rate and seed, so that their values mean the same. */
  merge(other: GolombSet): GolombSet {
    if (!(other instanceof GolombSet) || !sameValues(this, other)) {
      throw new BloomlineError(
        "ERR_INCOMPATIBLE",
        `Cannot merge: this is ${describe(this)}, the other is ${describe(other)}. Build both with the same capacity, errorRate and seed.`,
      );
    }
    const { seed, capacity, errorRate, engine, shared } = this;
    return withValues([this, other], engine, (space, list, all, image) => {
      const n = space.sort(list, all, 8, image);
      const parameters = encode(space, image, list, n, { seed, capacity, errorRate, rounds: roundsOf(this) });
      if (!parameters) throw unbuildable();
      return setOf(space, image, n, parameters, { engine, shared });
    });
  }

  protected override tallyOf(): number {
    return regionOf(this).tally;
  }
}

function roundsOf(set: GolombSet): number {
  return regionOf(set).head()[14]!;
}

/** Whether equal keys have equal values in both. */
function sameValues(a: GolombSet, b: GolombSet): boolean {
  return a.limit === b.limit && a.seed === b.seed && roundsOf(a) === roundsOf(b);
}

function describe(set: unknown): string {
  if (!(set instanceof GolombSet)) return show(set);
  return `a GolombSet with capacity ${set.capacity}, errorRate ${set.errorRate}, seed ${set.seed}`;
}

/** Decodes the values of sets, one after the other, to a list with room behind it for a set of all of them. */
function withValues<T>(
  sets: readonly GolombSet[],
  engine: EngineChoice,
  use: (space: Workspace, list: number, n: number, image: number) => T,
): T {
  const most = sets.reduce((sum, set) => sum + set.count, 0);
  const room = Math.max(roomFor(most), ...sets.map((set) => regionOf(set).bytes));
  const space = new Workspace(engine, most * 8 + room + 2 * LINE);
  try {
    const list = space.take(most * 8);
    const image = space.take(room);
    let n = 0;
    for (const set of sets) {
      const region = regionOf(set);
      space.bytes(image, HEAD).set(region.head());
      space.bytes(image + HEAD, region.bytes - HEAD).set(region.lines());
      n += space.kernel.golombValues(image, list + n * 8, set.count);
    }
    return use(space, list, n, image);
  } finally {
    space.release();
  }
}
