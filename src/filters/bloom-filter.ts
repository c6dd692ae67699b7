import { backendFor } from "#backends";
import { allocate, checkEngine, type EngineChoice } from "../engine/backend.js";
import type { FilterHandle } from "../engine/handle.js";
import type { EngineKind, Instance } from "../engine/instance.js";
import type { FilterKernel } from "../engine/kernel.js";
import { HASHES_AT, HEAD, KEYS_AT, LINE, RESULTS_AT } from "../engine/layout.js";
import type { Region } from "../engine/region.js";
import { BloomlineError, show } from "../errors.js";
import { Digest } from "../format/digest.js";
import { type Header, KINDS, readHeader, writeHeader } from "../format/header.js";
import { copyLines, PIECE, verifyLines } from "../format/lines.js";
import { checkEachKey, checkKeys, counted, countOf, eachHashedBatch, type Keys } from "../keys/batch.js";
import { stageBytes, stageString } from "../keys/door.js";
import { hashKey, hashLong } from "../keys/hash.js";
import { badKey, halves, highHalf, isInt64, type Key, long } from "../keys/key.js";
import { keysFromOnes, rateAtMean, sizeByHand, sizeFor } from "../sizing/blocked.js";
import { disposedKernel, disposedRegion, disposedStage, disposeSymbol } from "./disposed.js";
import { hashParts, type KeyHash, toSeed } from "./key-hash.js";

/** How and where a filter runs; its bytes and answers are the same everywhere. */
export interface EngineOptions {
  /** "auto" (the default) is WebAssembly where it may run, and JavaScript where it may not. */
  readonly engine?: EngineChoice;
  /** Lay the filter in memory that threads can share. */
  readonly shared?: boolean;
}

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

/** What decides where a key's bits lie, and what was asked for. */
type Geometry = Pick<Header, "hashes" | "lines" | "seed" | "capacity" | "errorRate">;

function geometryOf(options: BloomFilterOptions): Geometry {
  if (typeof options !== "object" || options === null) {
    throw new TypeError(
      `options is ${show(options)}; give an object such as { capacity: 1_000_000, errorRate: 0.01 }.`,
    );
  }
  const { capacity, errorRate, bitsPerKey, hashes } = options;
  const seed = toSeed(options.seed ?? 0n);
  if (bitsPerKey === undefined) {
    if (hashes !== undefined) {
      throw new TypeError("hashes goes with bitsPerKey; give both, or neither.");
    }
    const rate = errorRate ?? 0.01;
    const size = sizeFor(capacity, rate);
    return { capacity, errorRate: rate, seed, lines: size.lines, hashes: size.hashes };
  }
  if (errorRate !== undefined) {
    throw new TypeError("errorRate and bitsPerKey say the same; give one of them.");
  }
  const size = sizeByHand(capacity, bitsPerKey, hashes);
  return { capacity, errorRate: size.errorRate, seed, lines: size.lines, hashes: size.hashes };
}

function checkKind({ kind }: Header): void {
  if (kind === KINDS.bloom) return;
  throw new BloomlineError(
    "ERR_KIND",
    `The filter is of kind ${kind}; BloomFilter is kind ${KINDS.bloom}. Use openFilter.`,
  );
}

/** In the options: what to take as it is. */
const exactly = Symbol("exactly");
interface Exactly {
  readonly geometry: Geometry;
  readonly region?: Region;
}

/** The 64 bytes that go in front of a filter's lines; without a digest, those of an empty one in memory. */
export function headerOf(filter: BloomFilter, digest?: Digest): Uint8Array {
  const { hashes, lines, seed, capacity, errorRate } = filter;
  return writeHeader({
    kind: KINDS.bloom,
    hashes,
    lines,
    seed,
    capacity,
    errorRate,
    ones: digest?.ones ?? 0,
    checksum: digest?.checksum() ?? 0n,
  });
}

/** A constructor of this class or of one that derives from it. */
type Constructor<T> = new (options: BloomFilterOptions) => T;

/** For the rooms that move a filter's bytes; see the static block below. */
export let regionOf: (filter: BloomFilter) => Region;
/** An empty filter with the geometry of a header or of another filter. */
export let emptyFrom: <T extends BloomFilter>(type: Constructor<T>, geometry: Geometry, options: EngineOptions) => T;

/**
 * The cache-line Bloom filter: a key's bits all lie in one 64-byte line, so that a lookup costs one cache miss at most.
 * `has` never says no to a key that was added; it says yes to a stranger at the error rate.
 */
export class BloomFilter {
  readonly capacity: number;
  readonly errorRate: number;
  readonly seed: bigint;
  /** Positions per key: k. */
  readonly hashes: number;
  /** 64-byte lines. */
  readonly lines: number;

  // The hot path reads these; after dispose they lead to an error, so that it needs no check of its own.
  #kernel: FilterKernel;
  #stage: Instance;
  #at: number;
  #region: Region;

  static {
    regionOf = (filter) => filter.#region;
    emptyFrom = (type, geometry, options) =>
      new type({ ...options, [exactly]: { geometry } } as unknown as BloomFilterOptions);
  }

  constructor(options: BloomFilterOptions) {
    const given = (options as { [exactly]?: Exactly } | undefined)?.[exactly];
    const geometry = given?.geometry ?? geometryOf(options);
    this.capacity = geometry.capacity;
    this.errorRate = geometry.errorRate;
    this.seed = geometry.seed;
    this.hashes = geometry.hashes;
    this.lines = geometry.lines;
    const { engine = "auto", shared = false } = options;
    checkEngine(engine);
    if (typeof shared !== "boolean") throw new TypeError(`shared is ${show(shared)}; it must be true or false.`);
    this.#region = given?.region ?? allocate(backendFor(engine), headerOf(this), this.lines, shared, this);
    this.#stage = this.#region.stage;
    this.#kernel = this.#region.kernel;
    this.#at = this.#region.at;
  }

  /** A filter of the given keys; its capacity is their number unless given. */
  static from<T>(this: Constructor<T>, keys: Keys, options: Partial<BloomFilterOptions> = {}): T {
    checkKeys(keys);
    const all = options.capacity === undefined ? counted(keys) : keys;
    const filter = new this({ ...options, capacity: options.capacity ?? Math.max(1, countOf(counted(all))) });
    (filter as BloomFilter).addMany(all);
    return filter;
  }

  /** The filter that `toBytes` wrote, after every checksum has been verified. */
  static fromBytes<T extends BloomFilter>(this: Constructor<T>, bytes: Uint8Array, options: EngineOptions = {}): T {
    const header = readHeader(bytes, bytes.length);
    checkKind(header);
    const filter = emptyFrom(this, header, options);
    const region = regionOf(filter);
    region.lines().set(bytes.subarray(HEAD));
    try {
      for (const _ of verifyLines(region, header)) {
        // Nobody to show progress to.
      }
    } catch (error) {
      filter.dispose();
      throw error;
    }
    return filter;
  }

  /**
   * The filter behind a handle from another thread: the same bits, not a copy. With { readonly: true } this thread can
   * ask but not write.
   */
  static attach<T extends BloomFilter>(
    this: Constructor<T>,
    handle: FilterHandle,
    { readonly = false }: { readonly readonly?: boolean } = {},
  ): T {
    const region = backendFor("wasm").attachShared(handle, readonly);
    const geometry = readHeader(region.head().slice(), region.bytes);
    checkKind(geometry);
    return new this({ [exactly]: { geometry, region } } as unknown as BloomFilterOptions);
  }

  /** "wasm" or "js". */
  get engine(): EngineKind {
    return this.#stage.kind;
  }

  /** Whether its memory can be shared with other threads. */
  get shared(): boolean {
    return this.#region.handle !== undefined;
  }

  /** Bytes of its lines. */
  get byteLength(): number {
    return this.lines * LINE;
  }

  get bitsPerKey(): number {
    return (this.lines * LINE * 8) / this.capacity;
  }

  /** Adds a key. True: at least one bit was new, so the key was certainly not there before. */
  add(key: Key): boolean {
    if (typeof key === "string") {
      const length = stageString(key, this.#stage);
      if (length >= 0) return this.#kernel.add(this.#at, KEYS_AT, length) !== 0;
    } else if (typeof key === "number") {
      if (!Number.isSafeInteger(key)) throw badKey(key);
      return this.#kernel.addInt(this.#at, key | 0, highHalf(key)) !== 0;
    } else if (typeof key === "bigint") {
      if (!isInt64(key)) throw badKey(key);
      long[0] = key;
      return this.#kernel.addInt(this.#at, halves[0] as number, halves[1] as number) !== 0;
    } else if (key instanceof Uint8Array) {
      const length = stageBytes(key, this.#stage);
      if (length >= 0) return this.#kernel.add(this.#at, KEYS_AT, length) !== 0;
    } else {
      throw badKey(key);
    }
    hashLong(key, this.seed, this.#stage);
    return this.#addParts(this.#stage.hashParts);
  }

  /** Could the key be here? False: definitely not. True: maybe, wrong at the error rate. */
  has(key: Key): boolean {
    if (typeof key === "string") {
      const length = stageString(key, this.#stage);
      if (length >= 0) return this.#kernel.has(this.#at, KEYS_AT, length) !== 0;
    } else if (typeof key === "number") {
      if (!Number.isSafeInteger(key)) throw badKey(key);
      return this.#kernel.hasInt(this.#at, key | 0, highHalf(key)) !== 0;
    } else if (typeof key === "bigint") {
      if (!isInt64(key)) throw badKey(key);
      long[0] = key;
      return this.#kernel.hasInt(this.#at, halves[0] as number, halves[1] as number) !== 0;
    } else if (key instanceof Uint8Array) {
      const length = stageBytes(key, this.#stage);
      if (length >= 0) return this.#kernel.has(this.#at, KEYS_AT, length) !== 0;
    } else {
      throw badKey(key);
    }
    hashLong(key, this.seed, this.#stage);
    return this.#hasParts(this.#stage.hashParts);
  }

  /**
   * Adds many keys and returns how many changed the filter. A bad key in an array is found before the first key is
   * added; in another iterable the keys before it have been added.
   */
  addMany(keys: Keys): number {
    const kernel = this.#kernel;
    checkKeys(keys);
    checkEachKey(keys);
    let changed = 0;
    eachHashedBatch(keys, this.seed, this.#stage, (n) => {
      changed += kernel.addHashes(this.#at, HASHES_AT, n);
    });
    return changed;
  }

  /** Asks for many keys: 1 or 0 for each, in `out` if given, which must be long enough. */
  hasMany(keys: Keys, out?: Uint8Array): Uint8Array {
    const kernel = this.#kernel;
    const { results } = this.#stage;
    checkKeys(keys);
    const all = counted(keys);
    const count = countOf(all);
    const answers = out ?? new Uint8Array(count);
    if (!(answers instanceof Uint8Array)) throw new TypeError(`out is ${show(out)}; it must be a Uint8Array.`);
    if (answers.length < count) {
      throw new RangeError(`out has ${answers.length} places for ${count} keys. Give a longer one, or none.`);
    }
    let done = 0;
    eachHashedBatch(all, this.seed, this.#stage, (n) => {
      kernel.hasHashes(this.#at, HASHES_AT, n, RESULTS_AT);
      answers.set(results.subarray(0, n), done);
      done += n;
    });
    return answers;
  }

  /** Hashes a key once, for `hasHash` and `addHash` of every filter with the same seed. */
  hash(key: Key): KeyHash {
    const stage = this.#stage;
    hashKey(key, this.seed, stage);
    return { seed: this.seed, h1: stage.hash[0]!, h2: stage.hash[1]! };
  }

  hasHash(hash: KeyHash): boolean {
    return this.#hasParts(hashParts(hash, this.seed));
  }

  addHash(hash: KeyHash): boolean {
    return this.#addParts(hashParts(hash, this.seed));
  }

  #hasParts(hash: Int32Array): boolean {
    return this.#kernel.hasHash(this.#at, hash[0]!, hash[1]!, hash[2]!, hash[3]!) !== 0;
  }

  #addParts(hash: Int32Array): boolean {
    return this.#kernel.addHash(this.#at, hash[0]!, hash[1]!, hash[2]!, hash[3]!) !== 0;
  }

  /** The share of bits that are set: about a half at capacity. */
  get fillRatio(): number {
    return this.#region.ones / (this.lines * LINE * 8);
  }

  /** About how many distinct keys were added, from the bits they set. Infinity once every bit is set. */
  get count(): number {
    return Math.round(keysFromOnes(this.#region.ones, this.lines, this.hashes));
  }

  /** The error rate now, from the bits that are set: it rises above `errorRate` beyond capacity. */
  get currentErrorRate(): number {
    return rateAtMean(keysFromOnes(this.#region.ones, this.lines, this.hashes) / this.lines, this.hashes);
  }

  /** Whether the two can be merged: same lines, hashes and seed. */
  isCompatible(other: BloomFilter): boolean {
    return (
      other instanceof BloomFilter &&
      other.lines === this.lines &&
      other.hashes === this.hashes &&
      other.seed === this.seed
    );
  }

  /** Adds all that the other filter holds. */
  merge(other: BloomFilter): this {
    this.#combine(other, "merge");
    return this;
  }

  /** Keeps only bits that the other filter has too: every key that is in both, and strangers at somewhat more than the rate. */
  intersect(other: BloomFilter): this {
    this.#combine(other, "intersect");
    return this;
  }

  #combine(other: BloomFilter, how: "merge" | "intersect"): void {
    if (!this.isCompatible(other)) {
      const them =
        other instanceof BloomFilter
          ? `the other has lines ${other.lines}, hashes ${other.hashes}, seed ${other.seed}`
          : `the other is ${show(other)}`;
      throw new BloomlineError(
        "ERR_INCOMPATIBLE",
        `Cannot ${how}: this filter has lines ${this.lines}, hashes ${this.hashes}, seed ${this.seed}; ${them}. Build both with the same capacity, errorRate and seed.`,
      );
    }
    const theirs = other.#region.lines();
    this.#region.checkWritable();
    for (let at = 0; at < theirs.length; at += PIECE) {
      this.#region.combine(how, at, theirs.subarray(at, at + PIECE));
    }
  }

  /** A filter of its own with the same keys, on the same engine. */
  clone(): this {
    const options = { engine: this.engine, shared: this.shared };
    const copy = emptyFrom(this.constructor as Constructor<this>, this, options);
    return copy.merge(this);
  }

  /** Same geometry, same bits. */
  equals(other: BloomFilter): boolean {
    if (!this.isCompatible(other)) return false;
    const mine = this.#region.lines();
    const theirs = other.#region.lines();
    const a = new BigUint64Array(mine.buffer, mine.byteOffset, mine.length / 8);
    const b = new BigUint64Array(theirs.buffer, theirs.byteOffset, theirs.length / 8);
    for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
    return true;
  }

  /** Forgets every key. */
  clear(): void {
    this.#region.clear();
  }

  /** The whole filter as bytes: the same on every engine, and what a .bloom file holds. */
  toBytes(): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(HEAD + this.byteLength);
    const digest = new Digest(this.#region.stage);
    copyLines(this.#region, 0, bytes.subarray(HEAD), digest);
    bytes.set(headerOf(this, digest));
    return bytes;
  }

  /** What another thread needs to attach this very filter. */
  share(): FilterHandle {
    const { handle } = this.#region;
    if (handle) return handle;
    throw new BloomlineError(
      "ERR_NOT_SHARED",
      "The filter is in private memory. Create it with { shared: true }, or send toBytes().",
    );
  }

  /** Gives the memory back at once instead of when the filter is garbage-collected. Any later use is an error. */
  dispose(): void {
    if (this.#region === disposedRegion) return;
    this.#region.release();
    this.#region = disposedRegion;
    this.#stage = disposedStage;
    this.#kernel = disposedKernel;
  }

  [disposeSymbol](): void {
    this.dispose();
  }
}
