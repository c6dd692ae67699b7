import { backendFor } from "#backends";
import { allocate, checkEngine, type EngineChoice } from "../engine/backend.js";
import type { EngineKind, Instance } from "../engine/instance.js";
import type { Kernel } from "../engine/kernel.js";
import { HASH_AT, HEAD, KEYS_AT, KEYS_SIZE, LINE, OFFSETS_AT, RESULTS_AT } from "../engine/layout.js";
import type { Region } from "../engine/region.js";
import { BloomlineError, show } from "../errors.js";
import { Digest } from "../format/digest.js";
import { type Header, KINDS, readHeader, writeHeader } from "../format/header.js";
import { copyLines, verifyLines } from "../format/lines.js";
import { checkEachKey, checkKeys, counted, countOf, eachBatch, type Keys } from "../keys/batch.js";
import { stageBytes, stageString } from "../keys/door.js";
import { badKey, halves, highHalf, isInt64, type Key, long } from "../keys/key.js";
import { hashLong } from "../keys/long.js";
import { keysFromOnes, rateAtMean, sizeByHand, sizeFor } from "../sizing/blocked.js";
import { disposedInstance, disposedKernel, disposedRegion, disposeSymbol } from "./disposed.js";
import { type KeyHash, toSeed } from "./key-hash.js";

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
      throw new TypeError("hashes goes with bitsPerKey: give both, or errorRate alone.");
    }
    const rate = errorRate ?? 0.01;
    const size = sizeFor(capacity, rate);
    return { capacity, errorRate: rate, seed, lines: size.lines, hashes: size.hashes };
  }
  if (errorRate !== undefined) {
    throw new TypeError("errorRate and bitsPerKey are two ways to say the same; give one of them.");
  }
  const size = sizeByHand(capacity, bitsPerKey, hashes);
  return { capacity, errorRate: size.errorRate, seed, lines: size.lines, hashes: size.hashes };
}

/** In the options: a geometry to take as it is. */
const exactly = Symbol("exactly");

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

/** For the rooms that move a filter's bytes (files, threads); see the static block below. */
export let regionOf: (filter: BloomFilter) => Region;
/** An empty filter with the geometry of a header or of another filter. */
export let emptyFrom: <T extends BloomFilter>(type: Constructor<T>, like: Geometry, options: EngineOptions) => T;
/** Takes over the number of set bits after lines were written into the region from outside. */
export let setOnes: (filter: BloomFilter, ones: number) => void;

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

  // The hot path reads these three; after dispose they lead to an error, so that it needs no check of its own.
  #kernel: Kernel;
  #instance: Instance;
  #at: number;
  #region: Region;

  static {
    regionOf = (filter) => filter.#region;
    emptyFrom = (type, like, options) => new type({ ...options, [exactly]: like } as unknown as BloomFilterOptions);
    setOnes = (filter, ones) => filter.#region.head().setBigUint64(40, BigInt(ones), true);
  }

  constructor(options: BloomFilterOptions) {
    const geometry = (options as { [exactly]?: Geometry } | undefined)?.[exactly] ?? geometryOf(options);
    this.capacity = geometry.capacity;
    this.errorRate = geometry.errorRate;
    this.seed = geometry.seed;
    this.hashes = geometry.hashes;
    this.lines = geometry.lines;
    const { engine = "auto", shared = false } = options;
    checkEngine(engine);
    if (typeof shared !== "boolean") throw new TypeError(`shared is ${show(shared)}; it must be true or false.`);
    this.#region = allocate(backendFor(engine), HEAD + this.lines * LINE, shared, this);
    this.#instance = this.#region.instance;
    this.#kernel = this.#instance.kernel;
    this.#at = this.#region.at;
    this.#region.writeHead(headerOf(this));
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
    if (header.kind !== KINDS.bloom) {
      throw new BloomlineError(
        "ERR_KIND",
        `These bytes hold a filter of kind ${header.kind}; BloomFilter is kind ${KINDS.bloom}. Use openFilter.`,
      );
    }
    const filter = emptyFrom(this, header, options);
    const region = regionOf(filter);
    region.lines().set(bytes.subarray(HEAD));
    for (const _ of verifyLines(region, header)) {
      // Nobody to show progress to.
    }
    setOnes(filter, header.ones);
    return filter;
  }

  /** "wasm" or "js". */
  get engine(): EngineKind {
    return this.#instance.kind;
  }

  /** Whether its memory can be shared with other threads. */
  get shared(): boolean {
    return this.#instance.shared;
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
      const length = stageString(key, this.#instance);
      if (length >= 0) return this.#kernel.add(this.#at, KEYS_AT, length) !== 0;
    } else if (typeof key === "number") {
      if (!Number.isSafeInteger(key)) throw badKey(key);
      return this.#kernel.addInt(this.#at, key | 0, highHalf(key)) !== 0;
    } else if (typeof key === "bigint") {
      if (!isInt64(key)) throw badKey(key);
      long[0] = key;
      return this.#kernel.addInt(this.#at, halves[0] as number, halves[1] as number) !== 0;
    } else if (key instanceof Uint8Array) {
      const length = stageBytes(key, this.#instance);
      if (length >= 0) return this.#kernel.add(this.#at, KEYS_AT, length) !== 0;
    } else {
      throw badKey(key);
    }
    hashLong(key, this.seed, this.#instance);
    return this.#kernel.addHash(this.#at, HASH_AT) !== 0;
  }

  /** Could the key be here? False: definitely not. True: maybe, wrong at the error rate. */
  has(key: Key): boolean {
    if (typeof key === "string") {
      const length = stageString(key, this.#instance);
      if (length >= 0) return this.#kernel.has(this.#at, KEYS_AT, length) !== 0;
    } else if (typeof key === "number") {
      if (!Number.isSafeInteger(key)) throw badKey(key);
      return this.#kernel.hasInt(this.#at, key | 0, highHalf(key)) !== 0;
    } else if (typeof key === "bigint") {
      if (!isInt64(key)) throw badKey(key);
      long[0] = key;
      return this.#kernel.hasInt(this.#at, halves[0] as number, halves[1] as number) !== 0;
    } else if (key instanceof Uint8Array) {
      const length = stageBytes(key, this.#instance);
      if (length >= 0) return this.#kernel.has(this.#at, KEYS_AT, length) !== 0;
    } else {
      throw badKey(key);
    }
    hashLong(key, this.seed, this.#instance);
    return this.#kernel.hasHash(this.#at, HASH_AT) !== 0;
  }

  /**
   * Adds many keys and returns how many changed the filter. A bad key in an array is found before the first key is
   * added; in another iterable the keys before it have been added.
   */
  addMany(keys: Keys): number {
    const instance = this.#instance;
    const kernel = this.#kernel;
    const at = this.#at;
    checkKeys(keys);
    checkEachKey(keys);
    let changed = 0;
    eachBatch(keys, instance, {
      bytes: (base, n) => {
        changed += kernel.addMany(at, base, OFFSETS_AT, n);
      },
      ints: (n) => {
        changed += kernel.addInts(at, KEYS_AT, n);
      },
      long: (key) => {
        if (this.add(key)) changed++;
      },
    });
    return changed;
  }

  /** Asks for many keys: 1 or 0 for each, in `out` if given, which must be long enough. */
  hasMany(keys: Keys, out?: Uint8Array): Uint8Array {
    const instance = this.#instance;
    const kernel = this.#kernel;
    const at = this.#at;
    checkKeys(keys);
    const all = counted(keys);
    const count = countOf(all);
    const answers = out ?? new Uint8Array(count);
    if (!(answers instanceof Uint8Array)) throw new TypeError(`out is ${show(out)}; it must be a Uint8Array.`);
    if (answers.length < count) {
      throw new RangeError(
        `out has ${answers.length} places for ${count} keys; give one as long as the keys, or none.`,
      );
    }
    let done = 0;
    const take = (n: number) => {
      answers.set(instance.results.subarray(0, n), done);
      done += n;
    };
    eachBatch(all, instance, {
      bytes: (base, n) => {
        kernel.hasMany(at, base, OFFSETS_AT, n, RESULTS_AT);
        take(n);
      },
      ints: (n) => {
        kernel.hasInts(at, KEYS_AT, n, RESULTS_AT);
        take(n);
      },
      long: (key) => {
        answers[done++] = this.has(key) ? 1 : 0;
      },
    });
    return answers;
  }

  /** Hashes a key once, for `hasHash` and `addHash` of every filter with the same seed. */
  hash(key: Key): KeyHash {
    const instance = this.#instance;
    let length: number;
    if (typeof key === "string") {
      length = stageString(key, instance);
    } else if (key instanceof Uint8Array) {
      length = stageBytes(key, instance);
    } else {
      if (typeof key === "number" ? !Number.isSafeInteger(key) : typeof key !== "bigint" || !isInt64(key))
        throw badKey(key);
      instance.longs[0] = BigInt(key);
      length = 8;
    }
    if (length >= 0) this.#kernel.hash(this.#at, KEYS_AT, length, HASH_AT);
    else hashLong(key as string | Uint8Array, this.seed, instance);
    const [h1, h2] = instance.hash as unknown as [bigint, bigint];
    return { seed: this.seed, h1: BigInt.asUintN(64, h1), h2: BigInt.asUintN(64, h2) };
  }

  hasHash(hash: KeyHash): boolean {
    this.#stageHash(hash);
    return this.#kernel.hasHash(this.#at, HASH_AT) !== 0;
  }

  addHash(hash: KeyHash): boolean {
    this.#stageHash(hash);
    return this.#kernel.addHash(this.#at, HASH_AT) !== 0;
  }

  #stageHash(hash: KeyHash): void {
    if (typeof hash !== "object" || hash === null || typeof hash.h1 !== "bigint" || typeof hash.h2 !== "bigint") {
      throw new TypeError(`hash is ${show(hash)}; it must be what filter.hash(key) returned.`);
    }
    if (hash.seed !== this.seed) {
      throw new BloomlineError(
        "ERR_INCOMPATIBLE",
        `The hash was made with seed ${hash.seed}, this filter has seed ${this.seed}. Hash the key with a filter of the same seed.`,
      );
    }
    this.#instance.hash[0] = hash.h1;
    this.#instance.hash[1] = hash.h2;
  }

  /** Bits that are set. */
  get #ones(): number {
    return Number(this.#region.head().getBigUint64(40, true));
  }

  /** The share of bits that are set: about a half at capacity. */
  get fillRatio(): number {
    return this.#ones / (this.lines * LINE * 8);
  }

  /** About how many distinct keys were added, from the bits they set. Infinity once every bit is set. */
  get count(): number {
    return Math.round(keysFromOnes(this.#ones, this.lines, this.hashes));
  }

  /** The error rate now, from the bits that are set: it rises above `errorRate` beyond capacity. */
  get currentErrorRate(): number {
    return rateAtMean(keysFromOnes(this.#ones, this.lines, this.hashes) / this.lines, this.hashes);
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
    const { keys } = this.#instance;
    const combine = this.#kernel[how];
    const theirs = other.#region.lines();
    const into = this.#region.linesAt();
    const size = KEYS_SIZE - (KEYS_SIZE % LINE);
    for (let at = 0; at < theirs.length; at += size) {
      const piece = theirs.subarray(at, at + size);
      keys.set(piece);
      combine(this.#at, into + at, KEYS_AT, piece.length);
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
    this.#region.lines().fill(0);
    setOnes(this, 0);
  }

  /** The whole filter as bytes: the same on every engine, and what a .bloom file holds. */
  toBytes(): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(HEAD + this.byteLength);
    const digest = new Digest(this.#instance);
    copyLines(this.#region, 0, bytes.subarray(HEAD), digest);
    bytes.set(headerOf(this, digest));
    return bytes;
  }

  /** Gives the memory back at once instead of when the filter is garbage-collected. Any later use is an error. */
  dispose(): void {
    if (this.#region === disposedRegion) return;
    this.#region.release();
    this.#region = disposedRegion;
    this.#instance = disposedInstance;
    this.#kernel = disposedKernel;
  }

  [disposeSymbol](): void {
    this.dispose();
  }
}
