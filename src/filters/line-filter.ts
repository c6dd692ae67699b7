import { backendFor } from "#backends";
import { allocate, checkEngine, type EngineChoice } from "../engine/backend.js";
import type { Family } from "../engine/family.js";
import type { FilterHandle } from "../engine/handle.js";
import type { EngineKind, Instance } from "../engine/instance.js";
import { type Action, ADD, type FilterKernel, HAS } from "../engine/kernel.js";
import { HASHES_AT, HEAD, KEYS_AT, LINE, RESULTS_AT } from "../engine/layout.js";
import type { Region } from "../engine/region.js";
import { BloomlineError, mustBe } from "../errors.js";
import { Digest } from "../format/digest.js";
import { ANEW, type Header, type Parameters, readHeader, unsound, writeHeader } from "../format/header.js";
import { copyLines, digestLines } from "../format/lines.js";
import { checkEachKey, checkKeys, counted, countOf, eachHashedBatch, type Keys, roomFor } from "../keys/batch.js";
import { stageBytes, stageString } from "../keys/door.js";
import { hashKey, hashLong } from "../keys/hash.js";
import { badKey, halves, highHalf, isInt64, type Key, long } from "../keys/key.js";
import { disposedKernel, disposedRegion, disposedStage, disposeSymbol } from "./disposed.js";
import { hashParts, type KeyHash } from "./key-hash.js";

/** How and where a filter runs; its bytes and answers are the same everywhere. */
export interface EngineOptions {
  /** "auto" (the default) is WebAssembly where it may run, and JavaScript where it may not. */
  readonly engine?: EngineChoice;
  /** Lay the filter in memory that threads can share. */
  readonly shared?: boolean;
}

/** In the options: what to take as it is. */
const exactly = Symbol();
interface Exactly {
  readonly parameters: Parameters;
  readonly region?: Region;
}

/** Who can read a kind of file. */
export interface Reader {
  readonly name: string;
  /** The number of its kind in a file. */
  readonly kind: number;
  /** Whether it could have written this header. */
  isSound(header: Header): boolean;
}

/** A class of filters. */
export interface FilterClass<T> extends Reader {
  // biome-ignore lint/suspicious/noExplicitAny: each class has options of its own
  new (options: any): T;
}

/** For the rooms that move a filter's bytes; see the static block below. */
export let regionOf: (filter: ReadableFilter) => Region;
/** What goes in front of a filter's lines, once they are digested. */
export let headerOf: (filter: ReadableFilter, digest: Digest) => Uint8Array;
/** Digests lines that were just read into memory, and compares with what their header says. Yields now and then. */
export let verify: (filter: ReadableFilter, header: Header) => Generator<number, void>;
/** An empty filter with the parameters of another, or of a header. */
export let emptyFrom: <T extends ReadableFilter>(
  type: FilterClass<T>,
  parameters: Parameters,
  options: EngineOptions,
) => T;

/** Reads a header and makes sure that a class can take what follows. */
export function readHeaderFor(type: Reader, bytes: Uint8Array, total: number): Header {
  const header = readHeader(bytes, total);
  if (header.kind !== type.kind) {
    throw new BloomlineError(
      "ERR_KIND",
      `The filter is of kind ${header.kind}; ${type.name} is kind ${type.kind}. Use openFilter.`,
    );
  }
  if (!type.isSound(header)) throw unsound(header);
  return header;
}

function kindOf(filter: ReadableFilter): number {
  return (filter.constructor as FilterClass<ReadableFilter>).kind;
}

/** What all filters share that lie in lines behind a head: keys are asked for, bytes go out, threads meet. */
export abstract class ReadableFilter {
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
  readonly #detail: number;
  readonly #detail2: number;

  static {
    regionOf = (filter) => filter.#region;
    headerOf = (filter, digest) =>
      writeHeader({ ...filter.parameters, tally: filter.tallyOf(digest), checksum: digest.checksum() });
    verify = function* (filter, header) {
      const digest = new Digest(filter.#region.stage);
      filter.#region.tally = header.tally;
      yield* digestLines(filter.#region, digest);
      if (digest.checksum() !== header.checksum || filter.tallyOf(digest) !== header.tally) {
        throw new BloomlineError("ERR_CORRUPT", `The checksum of the lines does not match. ${ANEW}`);
      }
    };
    emptyFrom = (type, parameters, options) => new type({ ...options, [exactly]: { parameters } });
  }

  /** @internal */
  constructor(options: EngineOptions, family: Family, parametersOf: () => Parameters) {
    const given = (options as { [exactly]?: Exactly } | undefined)?.[exactly];
    const parameters = given?.parameters ?? parametersOf();
    this.capacity = parameters.capacity;
    this.errorRate = parameters.errorRate;
    this.seed = parameters.seed;
    this.hashes = parameters.hashes;
    this.lines = parameters.lines;
    const { engine = "auto", shared = false } = options;
    checkEngine(engine);
    if (typeof shared !== "boolean") throw mustBe("shared", shared, "true or false", TypeError);
    this.#detail = parameters.detail ?? 0;
    this.#detail2 = parameters.detail2 ?? 0;
    const head = () => writeHeader({ ...parameters, tally: 0, checksum: 0n });
    this.#region = given?.region ?? allocate(backendFor(family, engine), head(), this.lines, shared, this);
    this.#stage = this.#region.stage;
    this.#kernel = this.#region.kernel;
    this.#at = this.#region.at;
  }

  /** The filter that `toBytes` wrote, after every checksum has been verified. */
  static fromBytes<T extends ReadableFilter>(this: FilterClass<T>, bytes: Uint8Array, options: EngineOptions = {}): T {
    const header = readHeaderFor(this, bytes, bytes?.length);
    const filter = emptyFrom(this, header, options);
    regionOf(filter).lines().set(bytes.subarray(HEAD));
    try {
      for (const _ of verify(filter, header)) {
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
   *
   * Threads may add at the same time: no bit is ever lost. Once `add` has returned, `has` says yes in every thread that
   * was told of it (by a message, or by Atomics); a `has` that races with the `add` may say either. `merge`, `clone` and
   * `toBytes` during writes give at least everything that was added before they began. `clear` and `intersect` need
   * your own coordination.
   */
  static attach<T extends ReadableFilter>(
    this: FilterClass<T> & { readonly family: Family },
    handle: FilterHandle,
    { readonly = false }: { readonly readonly?: boolean } = {},
  ): T {
    if (typeof readonly !== "boolean") throw mustBe("readonly", readonly, "true or false", TypeError);
    const region = backendFor(this.family, "wasm", handle?.staging).attachShared(handle, readonly);
    const parameters = readHeaderFor(this, region.head().slice(), region.bytes);
    return new this({ [exactly]: { parameters, region } });
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
    return (this.byteLength * 8) / this.capacity;
  }

  /** Could the key be here? False: definitely not. True: maybe, wrong at the error rate. */
  has(key: Key): boolean {
    return this.act(key, HAS);
  }

  /** The hot path. @internal */
  protected act(key: Key, action: Action): boolean {
    if (typeof key === "string") {
      const length = stageString(key, this.#stage);
      if (length >= 0) return this.#kernel.act(this.#at, KEYS_AT, length, action) !== 0;
    } else if (typeof key === "number") {
      if (!Number.isSafeInteger(key)) throw badKey(key);
      return this.#kernel.actInt(this.#at, key | 0, highHalf(key), action) !== 0;
    } else if (typeof key === "bigint") {
      if (!isInt64(key)) throw badKey(key);
      long[0] = key;
      return this.#kernel.actInt(this.#at, halves[0]!, halves[1]!, action) !== 0;
    } else if (key instanceof Uint8Array) {
      const length = stageBytes(key, this.#stage);
      if (length >= 0) return this.#kernel.act(this.#at, KEYS_AT, length, action) !== 0;
    } else {
      throw badKey(key);
    }
    hashLong(key, this.seed, this.#stage);
    return this.actHash(this.#stage.hashParts, action);
  }

  /** Asks for many keys: 1 or 0 for each, in `out` if given, which must be long enough. */
  hasMany(keys: Keys, out?: Uint8Array): Uint8Array {
    checkKeys(keys);
    const all = counted(keys);
    const answers = roomFor(countOf(all), out);
    this.actMany(all, HAS, answers);
    return answers;
  }

  /** Returns to how many keys the answer was yes. @internal */
  protected actMany(keys: Keys, action: Action, answers?: Uint8Array): number {
    let all = 0;
    let done = 0;
    eachHashedBatch(keys, this.seed, this.#stage, (n) => {
      all += this.#kernel.actHashes(this.#at, HASHES_AT, n, RESULTS_AT, action);
      answers?.set(this.#stage.results.subarray(0, n), done);
      done += n;
    });
    return all;
  }

  /** Hashes a key once, for `hasHash` and `addHash` of every filter with the same seed. */
  hash(key: Key): KeyHash {
    const stage = this.#stage;
    hashKey(key, this.seed, stage);
    return { seed: this.seed, h1: stage.hash[0]!, h2: stage.hash[1]! };
  }

  hasHash(hash: KeyHash): boolean {
    return this.actHash(hashParts(hash, this.seed), HAS);
  }

  /** @internal */
  protected actHash(hash: Int32Array, action: Action): boolean {
    return this.#kernel.actHash(this.#at, hash[0]!, hash[1]!, hash[2]!, hash[3]!, action) !== 0;
  }

  /** What the header counts: bits or items. */
  protected abstract tallyOf(digest: Digest): number;

  /** Whether the two place keys alike: same kind, size, hashes and seed. */
  isCompatible(other: ReadableFilter): boolean {
    return (
      other instanceof ReadableFilter &&
      kindOf(other) === kindOf(this) &&
      other.lines === this.lines &&
      other.hashes === this.hashes &&
      other.seed === this.seed &&
      other.#detail === this.#detail &&
      other.#detail2 === this.#detail2
    );
  }

  /** What the kind reads its own fields from. Not kept as an object: small filters may be many. */
  protected get parameters(): Parameters {
    const { capacity, errorRate, seed, hashes, lines } = this;
    return {
      kind: kindOf(this),
      capacity,
      errorRate,
      seed,
      hashes,
      lines,
      detail: this.#detail,
      detail2: this.#detail2,
    };
  }

  /** A filter of its own with the same contents, on the same engine. */
  clone(): this {
    const options = { engine: this.engine, shared: this.shared };
    const copy = emptyFrom(this.constructor as FilterClass<this>, this.parameters, options);
    // On shared memory others may write meanwhile, so what was copied is counted, not what is there by then.
    const digest = new Digest(this.#region.stage);
    copyLines(this.#region, 0, copy.#region.lines(), digest);
    copy.#region.tally = this.tallyOf(digest);
    return copy;
  }

  /** Compatible, and the same contents. */
  equals(other: ReadableFilter): boolean {
    if (!this.isCompatible(other)) return false;
    const mine = this.#region.words();
    const theirs = other.#region.words();
    for (let i = 0; i < mine.length; i++) if (mine[i] !== theirs[i]) return false;
    return true;
  }

  /** The whole filter as bytes: the same on every engine, and what a .bloom file holds. */
  toBytes(): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(HEAD + this.byteLength);
    const digest = new Digest(this.#region.stage);
    copyLines(this.#region, 0, bytes.subarray(HEAD), digest);
    bytes.set(headerOf(this, digest));
    return bytes;
  }

  /**
   * What another thread needs to attach this very filter: it can be posted, or given as workerData. See `attach` for what
   * threads can rely on. A thread may be ended at any moment, and what it had added is there.
   */
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

/** A filter that takes keys at any time. */
export abstract class LineFilter extends ReadableFilter {
  /** A filter of the given keys; its capacity is their number unless given. */
  static from<T extends LineFilter, O extends { readonly capacity?: number }>(
    this: new (
      options: O & { capacity: number },
    ) => T,
    keys: Keys,
    options: Partial<O> = {},
  ): T {
    checkKeys(keys);
    const all = options.capacity === undefined ? counted(keys) : keys;
    const capacity = options.capacity ?? Math.max(1, countOf(counted(all)));
    const filter = new this({ ...(options as O), capacity });
    filter.addMany(all);
    return filter;
  }

  /** Adds a key. True: the filter changed, so the key was certainly not there before. */
  add(key: Key): boolean {
    return this.act(key, ADD);
  }

  /**
   * Adds many keys and returns how many changed the filter. A bad key in an array is found before the first key is
   * added; in another iterable the keys before it have been added.
   */
  addMany(keys: Keys): number {
    regionOf(this).checkWritable();
    checkKeys(keys);
    checkEachKey(keys);
    return this.actMany(keys, ADD);
  }

  addHash(hash: KeyHash): boolean {
    return this.actHash(hashParts(hash, this.seed), ADD);
  }

  /** Forgets every key. */
  clear(): void {
    regionOf(this).clear();
  }
}
