import type { Instance } from "../engine/instance.js";
import { BATCH, HASHES_AT, KEYS_AT, KEYS_SIZE, OFFSETS_AT } from "../engine/layout.js";
import { show } from "../errors.js";
import { encodeString, loopUtf8, stageJoined } from "./door.js";
import { hashLong, seedHalves } from "./hash.js";
import { badKey, checkKey, type Key, long, longBytes } from "./key.js";

/** Many keys in one stretch of bytes, as Arrow lays them out: key i is bytes[offsets[i]..offsets[i + 1]]. */
export interface PackedKeys {
  readonly bytes: Uint8Array;
  readonly offsets: Uint32Array | Int32Array;
}

/** Arrays of integers; those in a Float64Array must be safe ones. */
export type IntegerArray = Uint32Array | BigUint64Array | BigInt64Array | Float64Array;

/** Keys whose number is known. */
export type CountedKeys = readonly Key[] | IntegerArray | PackedKeys;

/** Many keys. An IntegerArray and PackedKeys cost no work per key in JavaScript. */
export type Keys = CountedKeys | Iterable<Key>;

/** Takes keys as they are staged, in order. */
interface BatchVisitor {
  /** n keys; key i is the bytes from base + offsets[i] to base + offsets[i + 1]. */
  bytes(base: number, n: number): void;
  /** n 64-bit integers at the start of the staging area. */
  ints(n: number): void;
  /** One key that is too long to be staged. */
  long(key: string | Uint8Array): void;
}

function isIntegers(keys: object): keys is IntegerArray {
  return (
    keys instanceof Uint32Array ||
    keys instanceof Float64Array ||
    keys instanceof BigUint64Array ||
    keys instanceof BigInt64Array
  );
}

function isPacked(keys: object): keys is PackedKeys {
  return "bytes" in keys && "offsets" in keys;
}

/** Rejects what is not many keys; a single key is a common slip. */
export function checkKeys(keys: unknown): asserts keys is Keys {
  if (typeof keys === "object" && keys !== null && !(keys instanceof Uint8Array)) {
    if (Symbol.iterator in keys) return;
    if (isPacked(keys)) return checkPacked(keys);
  }
  throw new TypeError(
    typeof keys === "string" || keys instanceof Uint8Array
      ? `keys is ${show(keys)}, which is one key. Give [key], or call the method for one key.`
      : `keys is ${show(keys)}; it must be an iterable of keys, an array of integers, or { bytes, offsets }.`,
  );
}

function checkPacked({ bytes, offsets }: PackedKeys): void {
  if (!(bytes instanceof Uint8Array) || !(offsets instanceof Uint32Array || offsets instanceof Int32Array)) {
    throw new TypeError(
      `keys is { bytes: ${show(bytes)}, offsets: ${show(offsets)} }; it must be { bytes: Uint8Array, offsets: Uint32Array }.`,
    );
  }
  if (offsets.length === 0) throw new RangeError("offsets is empty; it must be one longer than there are keys.");
  let from = 0;
  for (let i = 0; i < offsets.length; i++) {
    const to = offsets[i] as number;
    if (to < from || to > bytes.length) {
      throw new RangeError(
        `offsets[${i}] is ${to}; it must be from ${from} to ${bytes.length}, for offsets must not descend.`,
      );
    }
    from = to;
  }
}

/** Finds the first bad key before anything is done with the good ones. */
export function checkEachKey(keys: Keys): void {
  if (Array.isArray(keys)) {
    for (let i = 0; i < keys.length; i++) checkKey(keys[i], i);
  } else if (keys instanceof Float64Array) {
    for (let i = 0; i < keys.length; i++) if (!Number.isSafeInteger(keys[i])) throw badKey(keys[i], i);
  }
}

/** The same keys, their number known; reads an iterable to its end. */
export function counted(keys: Keys): CountedKeys {
  return Array.isArray(keys) || isIntegers(keys) || isPacked(keys)
    ? (keys as CountedKeys)
    : Array.from(keys as Iterable<Key>);
}

export function countOf(keys: CountedKeys): number {
  return isPacked(keys) ? keys.offsets.length - 1 : keys.length;
}

/** Hashes all keys, batch by batch, into stage.hashes; `take` gets how many there are now. */
export function eachHashedBatch(keys: Keys, seed: bigint, stage: Instance, take: (n: number) => void): void {
  const { kernel } = stage;
  const [low, high] = seedHalves(seed);
  eachBatch(keys, stage, {
    bytes(base, n) {
      kernel.hashKeys(base, OFFSETS_AT, n, low, high, HASHES_AT);
      take(n);
    },
    ints(n) {
      kernel.hashInts(KEYS_AT, n, low, high, HASHES_AT);
      take(n);
    },
    long(key) {
      hashLong(key, seed, stage);
      stage.hashes.set(stage.hashParts);
      take(1);
    },
  });
}

/** Stages all keys, batch by batch, for the visitor. */
function eachBatch(keys: Keys, instance: Instance, visitor: BatchVisitor): void {
  if (Array.isArray(keys)) {
    // A slice is a snapshot: nothing the caller's array does while it is read can disturb what is staged.
    for (let i = 0; i < keys.length; i += BATCH) stageKeys(keys.slice(i, i + BATCH), i, instance, visitor);
  } else if (isIntegers(keys)) {
    stageIntegers(keys, instance, visitor);
  } else if (isPacked(keys)) {
    stagePacked(keys, instance, visitor);
  } else {
    eachOf(keys as Iterable<Key>, instance, visitor);
  }
}

function eachOf(keys: Iterable<Key>, instance: Instance, visitor: BatchVisitor): void {
  let chunk: Key[] = [];
  let index = 0;
  for (const key of keys) {
    checkKey(key, index + chunk.length);
    if (chunk.push(key) < BATCH) continue;
    stageKeys(chunk, index, instance, visitor);
    index += BATCH;
    chunk = [];
  }
  stageKeys(chunk, index, instance, visitor);
}

/** Up to BATCH keys of any kinds; `index` is the place of the first, for messages. */
function stageKeys(keys: readonly Key[], index: number, instance: Instance, visitor: BatchVisitor): void {
  const staged =
    typeof keys[0] === "string"
      ? stageStrings(keys, index, instance, visitor)
      : typeof keys[0] === "number"
        ? stageSafeIntegers(keys, index, instance, visitor)
        : false;
  if (!staged) stageOneByOne(keys, index, instance, visitor);
}

/** All strings that fit together are encoded in one call; false where that cannot be done. */
function stageStrings(keys: readonly Key[], index: number, instance: Instance, visitor: BatchVisitor): boolean {
  const { offsets } = instance;
  let units = 0;
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i];
    if (typeof key !== "string") return false;
    units += key.length;
    offsets[i + 1] = units;
  }
  const written = units <= KEYS_SIZE ? stageJoined(keys.join(""), instance) : -1;
  if (written < 0) {
    if (keys.length === 1) return false;
    const half = keys.length >> 1;
    stageKeys(keys.slice(0, half), index, instance, visitor);
    stageKeys(keys.slice(half), index + half, instance, visitor);
    return true;
  }
  offsets[0] = 0;
  // As many bytes as UTF-16 units: all is ASCII, and the units are the offsets.
  if (written !== units && !instance.kernel.splitUtf8(KEYS_AT, OFFSETS_AT, keys.length)) return false;
  visitor.bytes(KEYS_AT, keys.length);
  return true;
}

/** All numbers; false where another kind of key is among them. */
function stageSafeIntegers(keys: readonly Key[], index: number, instance: Instance, visitor: BatchVisitor): boolean {
  const { doubles } = instance;
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i];
    if (typeof key !== "number") return false;
    if (!Number.isSafeInteger(key)) throw badKey(key, index + i);
    doubles[i] = key;
  }
  instance.kernel.truncateF64(KEYS_AT, keys.length);
  visitor.ints(keys.length);
  return true;
}

/** Keys of any kinds, each in its turn. */
function stageOneByOne(keys: readonly Key[], index: number, instance: Instance, visitor: BatchVisitor): void {
  const { keys: area, offsets } = instance;
  let staged = 0;
  let at = 0;
  offsets[0] = 0;
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i] as Key;
    checkKey(key, index + i);
    const bytes = typeof key === "string" && key.length > LOOPED ? encodeString(key) : key;
    const room = typeof bytes === "string" ? bytes.length * 3 : bytes instanceof Uint8Array ? bytes.length : 8;
    if (at + room > KEYS_SIZE) {
      if (staged > 0) visitor.bytes(KEYS_AT, staged);
      staged = at = 0;
    }
    if (room > KEYS_SIZE) {
      visitor.long(bytes as Uint8Array);
      continue;
    }
    if (typeof bytes === "string") {
      at = loopUtf8(bytes, area, at);
    } else if (bytes instanceof Uint8Array) {
      area.set(bytes, at);
      at += bytes.length;
    } else {
      long[0] = BigInt(bytes);
      area.set(longBytes, at);
      at += 8;
    }
    offsets[++staged] = at;
  }
  if (staged > 0) visitor.bytes(KEYS_AT, staged);
}

/** Strings longer than this are worth an encoder's fixed cost. */
const LOOPED = 1000;

function stageIntegers(keys: IntegerArray, instance: Instance, visitor: BatchVisitor): void {
  const { kernel, words, doubles, longs } = instance;
  // Seen as one type, 64-bit integers are copied, not converted one by one.
  const source = keys instanceof BigUint64Array ? new BigInt64Array(keys.buffer, keys.byteOffset, keys.length) : keys;
  for (let i = 0; i < source.length; i += BATCH) {
    const chunk = source.subarray(i, i + BATCH);
    if (chunk instanceof Uint32Array) {
      words.set(chunk);
      kernel.widenU32(KEYS_AT, chunk.length);
    } else if (chunk instanceof Float64Array) {
      doubles.set(chunk);
      kernel.truncateF64(KEYS_AT, chunk.length);
    } else {
      longs.set(chunk);
    }
    visitor.ints(chunk.length);
  }
}

function stagePacked({ bytes, offsets }: PackedKeys, instance: Instance, visitor: BatchVisitor): void {
  const n = offsets.length - 1;
  for (let i = 0; i < n; ) {
    const from = offsets[i] as number;
    let end = Math.min(i + BATCH, n);
    // Halve until the bytes fit; keys are alike, so that is soon.
    while (end > i + 1 && (offsets[end] as number) - from > KEYS_SIZE) end = i + ((end - i) >> 1);
    const chunk = bytes.subarray(from, offsets[end]);
    if (chunk.length > KEYS_SIZE) {
      visitor.long(chunk);
    } else {
      instance.keys.set(chunk);
      instance.offsets.set(offsets.subarray(i, end + 1));
      // The offsets stay as they are; the base makes up for what lies before this batch. Addresses wrap at 2^32.
      visitor.bytes((KEYS_AT - from) | 0, end - i);
    }
    i = end;
  }
}
