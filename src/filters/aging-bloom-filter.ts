import type { Instance } from "../engine/instance.js";
import { LINE } from "../engine/layout.js";
import { mustBe } from "../errors.js";
import type { Header } from "../format/header.js";
import * as KINDS from "../format/kinds.js";
import { checkCapacity, MAX_ERROR_RATE, MIN_ERROR_RATE } from "../sizing/blocked.js";
import { BloomFilter } from "./bloom-filter.js";
import {
  addStaged,
  type CompositeEngineOptions,
  CompositeFilter,
  checkNotShared,
  contents,
  contentsIn,
  mustBeFunction,
  mustFit,
  partAdd,
  readComposite,
} from "./composite-filter.js";
import { toSeed } from "./key-hash.js";
import type { EngineOptions } from "./line-filter.js";
import { checkOptions } from "./options.js";

export interface AgingBloomFilterOptions extends CompositeEngineOptions {
  /** How many keys a generation holds. */
  readonly capacity: number;
  /** The share of strangers that the two generations together may take for members; 0.01 unless given. */
  readonly errorRate?: number;
  /** A generation ends after so many new keys; `capacity`, which is also the most, unless given. */
  readonly maxKeys?: number;
  /** A generation ends after so many milliseconds; never unless given. */
  readonly maxAgeMs?: number;
  /** Tells the time in milliseconds; Date.now unless given. */
  readonly clock?: () => number;
  /** Of the hash, 64 bits; 0 unless given. */
  readonly seed?: number | bigint;
}

/** It is shared between two generations. */
const LEAST_RATE = 2 * MIN_ERROR_RATE;

/**
 * A Bloom filter that forgets in generations. Keys go into the young one; when that is full, or its time is over, it
 * becomes the old one, and what was old is forgotten. So a key is remembered for at least one generation and for at most
 * two, in memory that never grows.
 */
export class AgingBloomFilter extends CompositeFilter {
  static readonly kind = KINDS.aging;

  readonly capacity: number;
  readonly errorRate: number;
  readonly seed: bigint;
  readonly maxKeys: number;
  /** Infinity where a generation does not end by time. */
  readonly maxAgeMs: number;

  readonly #clock: () => number;
  #young: BloomFilter;
  #old: BloomFilter;
  /** New keys in the young generation, and when it began. */
  #keys = 0;
  #born: number;

  constructor(options: AgingBloomFilterOptions) {
    super();
    checkOptions(options, "{ capacity: 1_000_000, maxAgeMs: 3_600_000 }");
    checkNotShared(options);
    const { capacity, errorRate = 0.01, clock = Date.now, engine = "auto" } = options;
    const { maxKeys = capacity, maxAgeMs = Number.POSITIVE_INFINITY } = options;
    checkCapacity(capacity);
    if (typeof errorRate !== "number" || !(errorRate >= LEAST_RATE && errorRate <= MAX_ERROR_RATE)) {
      throw mustBe("errorRate", errorRate, `a number from ${LEAST_RATE} to ${MAX_ERROR_RATE}`);
    }
    if (!Number.isInteger(maxKeys) || maxKeys < 1 || maxKeys > capacity) {
      throw mustBe("maxKeys", maxKeys, `a whole number from 1 to capacity, ${capacity}`);
    }
    if (typeof maxAgeMs !== "number" || !(maxAgeMs > 0)) {
      throw mustBe("maxAgeMs", maxAgeMs, "a number of milliseconds above 0");
    }
    if (typeof clock !== "function") throw mustBeFunction("clock", clock);
    this.capacity = capacity;
    this.errorRate = errorRate;
    this.seed = toSeed(options.seed);
    this.maxKeys = maxKeys;
    this.maxAgeMs = maxAgeMs;
    this.#clock = clock;
    const given = contentsIn(options);
    const generation = () =>
      new BloomFilter({ capacity, errorRate: generationRate(errorRate), seed: this.seed, engine });
    this.#young = given?.parts[0] ?? generation();
    this.#old = given?.parts[1] ?? generation();
    this.#keys = given?.header.tally ?? 0;
    this.#born = given ? ownFields(given.own).getFloat64(0, true) : this.#now();
  }

  /** The filter that `toBytes` wrote. Time has passed meanwhile: by the clock, generations may be over. */
  static fromBytes(
    bytes: Uint8Array,
    options: EngineOptions & Pick<AgingBloomFilterOptions, "clock"> = {},
  ): AgingBloomFilter {
    const read = readComposite(this, bytes, options, LINE);
    const { seed, capacity, errorRate, tally } = read.header;
    const own = ownFields(read.own);
    const maxAgeMs = own.getFloat64(8, true);
    const maxKeys = own.getFloat64(16, true);
    mustFit(
      read,
      read.parts.length === 2 &&
        read.parts.every((part) => part.capacity === capacity && part.errorRate === generationRate(errorRate)) &&
        Number.isFinite(own.getFloat64(0, true)) &&
        maxAgeMs > 0 &&
        Number.isInteger(maxKeys) &&
        maxKeys <= capacity &&
        tally <= maxKeys,
    );
    return new AgingBloomFilter({
      ...options,
      seed,
      capacity,
      errorRate,
      maxAgeMs,
      maxKeys,
      [contents]: read,
    } as AgingBloomFilterOptions);
  }

  static isSound({ hashes, detail, detail2, errorRate }: Header): boolean {
    return hashes === 0 && !detail && !detail2 && errorRate >= LEAST_RATE && errorRate <= MAX_ERROR_RATE;
  }

  protected override get parts(): readonly BloomFilter[] {
    return [this.#young, this.#old];
  }

  get bitsPerKey(): number {
    return (this.byteLength * 8) / this.capacity;
  }

  /** About how many distinct keys are remembered. Merges a copy, for a key may be in both generations. */
  get count(): number {
    this.#age();
    const both = this.#young.clone().merge(this.#old);
    const { count } = both;
    both.dispose();
    return count;
  }

  /** Ends the young generation now: it becomes the old one, and what was old is forgotten. */
  rotate(): void {
    const now = this.#now();
    this.#age(now);
    this.#begin(now);
  }

  #begin(born: number): void {
    this.#old.clear();
    [this.#young, this.#old] = [this.#old, this.#young];
    this.#keys = 0;
    this.#born = born;
  }

  #now(): number {
    const now = this.#clock();
    if (Number.isFinite(now)) return now;
    throw mustBe("clock()", now, "a number of milliseconds");
  }

  /** Ends generations whose time is over. A late end counts from when it was due, or a key would outlive two. */
  #age(time?: number): void {
    const { maxAgeMs } = this;
    if (maxAgeMs === Number.POSITIVE_INFINITY) return;
    const now = time ?? this.#now();
    // A clock that was set back: the generation begins anew, or it would last until the clock is where it was.
    if (now < this.#born) this.#born = now;
    const over = Math.floor((now - this.#born) / maxAgeMs);
    if (over < 1) return;
    const born = this.#born + over * maxAgeMs;
    this.#begin(born);
    if (over > 1) this.#begin(born);
  }

  override has(key: Parameters<CompositeFilter["has"]>[0]): boolean {
    this.#age();
    return super.has(key);
  }

  override hasMany(...[keys, out]: Parameters<CompositeFilter["hasMany"]>): Uint8Array {
    this.#age();
    return super.hasMany(keys, out);
  }

  override hasHash(hash: Parameters<CompositeFilter["hasHash"]>[0]): boolean {
    this.#age();
    return super.hasHash(hash);
  }

  // The clock may ask other filters, which stage and hash in the same place: it is asked before a key is hashed, and what a
  // batch has hashed or still staged is put aside meanwhile.
  override add(key: Parameters<CompositeFilter["add"]>[0]): boolean {
    this.#age();
    return super.add(key);
  }

  override addHash(hash: Parameters<CompositeFilter["addHash"]>[0]): boolean {
    this.#age();
    return super.addHash(hash);
  }

  protected override addParts(hash: Int32Array): boolean {
    const changed = partAdd(this.#young, hash);
    if (changed && this.#isFullWith(1)) this.rotate();
    return changed;
  }

  protected override addBatch(stage: Instance, n: number): number {
    const now = this.#nowBeside(stage);
    this.#age(now);
    let all = 0;
    for (let done = 0; done < n; ) {
      const to = Math.min(n, done + this.maxKeys - this.#keys);
      const changed = addStaged(this.#young, stage, done, to);
      if (this.#isFullWith(changed)) this.#begin(now);
      all += changed;
      done = to;
    }
    return all;
  }

  #nowBeside(stage: Instance): number {
    if (this.#clock === Date.now) return this.#now();
    const hashes = stage.hashes.slice();
    const words = stage.words.slice();
    const now = this.#now();
    stage.hashes.set(hashes);
    stage.words.set(words);
    return now;
  }

  /** Counts new keys, and tells whether the generation is full now. */
  #isFullWith(more: number): boolean {
    this.#keys += more;
    return this.#keys === this.maxKeys;
  }

  /** Forgets every key and begins a generation. */
  clear(): void {
    this.#young.clear();
    this.#old.clear();
    this.#keys = 0;
    this.#born = this.#now();
  }

  /** A filter of its own with the same contents, on the same engine and by the same clock. */
  clone(): AgingBloomFilter {
    return AgingBloomFilter.fromBytes(this.toBytes(), { engine: this.engine, clock: this.#clock });
  }

  protected override ownLines(): Uint8Array {
    const lines = new Uint8Array(LINE);
    const own = ownFields(lines);
    own.setFloat64(0, this.#born, true);
    own.setFloat64(8, this.maxAgeMs, true);
    own.setFloat64(16, this.maxKeys, true);
    return lines;
  }

  protected override head() {
    const { seed, capacity, errorRate } = this;
    return { kind: KINDS.aging, hashes: 0, seed, capacity, errorRate, tally: this.#keys };
  }
}

/** Two generations of this rate are one filter of the rate that was asked for. */
function generationRate(errorRate: number): number {
  return errorRate / 2;
}

/** The line of its own: when the young generation began, maxAgeMs, maxKeys. */
function ownFields(lines: Uint8Array): DataView {
  return new DataView(lines.buffer, lines.byteOffset, LINE);
}
