import type { EngineKind, Instance } from "../engine/instance.js";
import { ADD, HAS } from "../engine/kernel.js";
import { HASH, HASHES_AT, HEAD, LINE, RESULTS_AT } from "../engine/layout.js";
import { BloomlineError, show } from "../errors.js";
import { ANEW, type Header, type Parameters, unsound, writeHeader } from "../format/header.js";
import { checksumOf } from "../format/lines.js";
import { checkEachKey, checkKeys, counted, countOf, eachHashedBatch, type Keys, roomFor } from "../keys/batch.js";
import { hashKey } from "../keys/hash.js";
import type { Key } from "../keys/key.js";
import { BloomFilter } from "./bloom-filter.js";
import { disposeSymbol } from "./disposed.js";
import { hashParts, type KeyHash } from "./key-hash.js";
import { type EngineOptions, type Reader, readHeaderFor, regionOf } from "./line-filter.js";

/** A composite lies in the memory of one thread: there is no handle to several filters that change places. */
export type CompositeEngineOptions = Pick<EngineOptions, "engine">;

/** What the bytes of a composite hold besides the header. */
export interface Contents {
  readonly header: Header;
  /** Lines of the composite's own, in front of its parts. */
  readonly own: Uint8Array;
  readonly parts: BloomFilter[];
}

/** In the options: what to be made of, rather than of nothing. */
export const contents = Symbol("contents");

export function contentsIn(options: object): Contents | undefined {
  return (options as { [contents]?: Contents })[contents];
}

export function checkNotShared(options: EngineOptions): void {
  const { shared = false } = options;
  if (shared !== false) {
    throw new TypeError(
      `shared is ${show(shared)}; a filter made of several cannot be shared between threads. Leave it out.`,
    );
  }
}

/** A filter made of several filters of one seed: a key is hashed once for all of them. */
export abstract class CompositeFilter {
  abstract readonly capacity: number;
  abstract readonly errorRate: number;
  abstract readonly seed: bigint;

  /** The filters it is made of, in the order in which they are asked. */
  protected abstract get parts(): readonly BloomFilter[];

  /** Adds one key by its hash, in 32-bit parts. */
  protected abstract addParts(hash: Int32Array): boolean;

  /** Adds the n keys whose hashes are in a stage, and returns how many changed the filter. */
  protected abstract addBatch(stage: Instance, n: number): number;

  /** What its header says, and the lines of its own. */
  protected abstract head(): Omit<Parameters, "lines"> & { readonly tally: number };
  protected ownLines(): Uint8Array {
    return new Uint8Array(0);
  }

  /** Where keys are staged and hashed. */
  protected get stage(): Instance {
    return regionOf(this.parts[0]!).stage;
  }

  /** "wasm" or "js". */
  get engine(): EngineKind {
    return this.stage.kind;
  }

  /** Never: see CompositeEngineOptions. */
  get shared(): boolean {
    return false;
  }

  /** Bytes of its lines, headers of its parts included. */
  get byteLength(): number {
    return this.parts.reduce((sum, part) => sum + HEAD + part.byteLength, this.ownLines().length);
  }

  /** About how many distinct keys it holds. */
  abstract get count(): number;

  /** The error rate now: that of all its parts together, from the bits that are set. */
  get currentErrorRate(): number {
    return 1 - this.parts.reduce((right, part) => right * (1 - part.currentErrorRate), 1);
  }

  /** Adds a key. True: the filter changed. */
  add(key: Key): boolean {
    const { stage } = this;
    hashKey(key, this.seed, stage);
    return this.addParts(stage.hashParts);
  }

  /** Could the key be here? False: definitely not. True: maybe, wrong at the error rate. */
  has(key: Key): boolean {
    const { stage } = this;
    hashKey(key, this.seed, stage);
    return this.hasParts(stage.hashParts);
  }

  /** Adds many keys and returns how many changed the filter; a bad key in an array is found before the first is added. */
  addMany(keys: Keys): number {
    checkKeys(keys);
    checkEachKey(keys);
    const { stage } = this;
    let changed = 0;
    eachHashedBatch(keys, this.seed, stage, (n) => {
      changed += this.addBatch(stage, n);
    });
    return changed;
  }

  /** Asks for many keys: 1 or 0 for each, in `out` if given, which must be long enough. */
  hasMany(keys: Keys, out?: Uint8Array): Uint8Array {
    checkKeys(keys);
    const all = counted(keys);
    const answers = roomFor(countOf(all), out);
    const { stage } = this;
    let done = 0;
    eachHashedBatch(all, this.seed, stage, (n) => {
      askBatch(this.parts, stage, n, answers.subarray(done, done + n).fill(0));
      done += n;
    });
    return answers;
  }

  /** Hashes a key once, for `hasHash` and `addHash` of every filter with the same seed. */
  hash(key: Key): KeyHash {
    return this.parts[0]!.hash(key);
  }

  hasHash(hash: KeyHash): boolean {
    return this.hasParts(hashParts(hash, this.seed));
  }

  addHash(hash: KeyHash): boolean {
    return this.addParts(hashParts(hash, this.seed));
  }

  protected hasParts(hash: Int32Array): boolean {
    for (const part of this.parts) if (partHas(part, hash)) return true;
    return false;
  }

  /** The same kind, the same settings, the same contents. */
  equals(other: unknown): boolean {
    if (!(other instanceof CompositeFilter) || other.constructor !== this.constructor) return false;
    const mine = this.toBytes();
    const theirs = other.toBytes();
    return mine.length === theirs.length && mine.every((byte, i) => byte === theirs[i]);
  }

  /** The whole filter as bytes: the same on every engine, and what a .bloom file holds. */
  toBytes(): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(HEAD + this.byteLength);
    const own = this.ownLines();
    bytes.set(own, HEAD);
    let at = HEAD + own.length;
    for (const part of this.inOrder()) {
      const piece = part.toBytes();
      bytes.set(piece, at);
      at += piece.length;
    }
    const lines = bytes.subarray(HEAD);
    bytes.set(writeHeader({ ...this.head(), lines: lines.length / LINE, checksum: checksumOf(lines, this.stage) }));
    return bytes;
  }

  /** The parts in the order of the file. */
  protected inOrder(): readonly BloomFilter[] {
    return this.parts;
  }

  /** Gives the memory back at once instead of when the filter is garbage-collected. Any later use is an error. */
  dispose(): void {
    for (const part of this.parts) part.dispose();
  }

  [disposeSymbol](): void {
    this.dispose();
  }
}

/** Whether a filter has a hash that lies in 32-bit parts. */
export function partHas(part: BloomFilter, hash: Int32Array): boolean {
  const { kernel, at } = regionOf(part);
  return kernel.actHash(at, hash[0]!, hash[1]!, hash[2]!, hash[3]!, HAS) !== 0;
}

export function partAdd(part: BloomFilter, hash: Int32Array): boolean {
  const { kernel, at } = regionOf(part);
  return kernel.actHash(at, hash[0]!, hash[1]!, hash[2]!, hash[3]!, ADD) !== 0;
}

/** Adds the hashes from..to of a stage to a filter that may have another stage; returns how many changed it. */
export function addStaged(part: BloomFilter, stage: Instance, from: number, to: number): number {
  const { kernel, at, stage: own } = regionOf(part);
  if (own !== stage) own.hashes.set(stage.hashes.subarray(from * 4, to * 4), from * 4);
  return kernel.actHashes(at, HASHES_AT + from * HASH, to - from, RESULTS_AT, ADD);
}

/** answers[i] |= whether any of the parts has hash i of the stage. Stops as soon as all have been found. */
export function askBatch(parts: readonly BloomFilter[], stage: Instance, n: number, answers: Uint8Array): void {
  let missing = n;
  for (const part of parts) {
    const { kernel, at, stage: own } = regionOf(part);
    if (own !== stage) own.hashes.set(stage.hashes.subarray(0, n * 4));
    if (kernel.actHashes(at, HASHES_AT, n, RESULTS_AT, HAS) === 0) continue;
    const { results } = own;
    for (let i = 0; i < n; i++) {
      if (results[i]! > answers[i]!) {
        answers[i] = 1;
        missing--;
      }
    }
    if (missing === 0) return;
  }
}

/** Reads what `toBytes` wrote, after every checksum has been verified. */
export function readComposite(type: Reader, bytes: Uint8Array, options: EngineOptions, ownLength = 0): Contents {
  checkNotShared(options);
  const header = readHeaderFor(type, bytes, bytes?.length);
  const { engine = "auto" } = options;
  const end = bytes.length;
  const parts: BloomFilter[] = [];
  try {
    for (let at = HEAD + ownLength; at < end; ) {
      const length = at + HEAD <= end ? partLength(bytes, at) : Number.POSITIVE_INFINITY;
      if (at + length > end) throw unsound(header);
      const part = BloomFilter.fromBytes(bytes.subarray(at, at + length), { engine });
      parts.push(part);
      if (part.seed !== header.seed) throw unsound(header);
      at += length;
    }
    if (parts.length === 0) throw unsound(header);
    if (checksumOf(bytes.subarray(HEAD), regionOf(parts[0]!).stage) !== header.checksum) {
      throw new BloomlineError("ERR_CORRUPT", `The checksum of the lines does not match. ${ANEW}`);
    }
  } catch (error) {
    for (const part of parts) part.dispose();
    throw error;
  }
  return { header, own: bytes.slice(HEAD, HEAD + ownLength), parts };
}

/** What the header of the part at `at` announces. */
function partLength(bytes: Uint8Array, at: number): number {
  return HEAD + new DataView(bytes.buffer, bytes.byteOffset + at).getUint32(8, true) * LINE;
}

/** The parts of sound bytes are as the kind makes them; others are refused. */
export function mustFit({ header, parts }: Contents, fits: boolean): void {
  if (fits) return;
  for (const part of parts) part.dispose();
  throw unsound(header);
}

/** The error for an option that must be a function. */
export function mustBeFunction(name: string, value: unknown): TypeError {
  return new TypeError(`${name} is ${show(value)}; it must be a function.`);
}
