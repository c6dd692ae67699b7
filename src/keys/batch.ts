import type { Instance } from "../engine/instance.js";
import { BATCH, HASHES_AT, INTEGERS, KEYS_AT, KEYS_SIZE, OFFSETS_AT } from "../engine/layout.js";
import { mustBe } from "../errors.js";
import { encodeString, loopUtf8, stageText } from "./door.js";
import { hashLong, seedHalves } from "./hash.js";
import { badKey, checkKey, highHalf, type Key, long, longBytes } from "./key.js";

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
export interface BatchVisitor {
  /** n keys; key i is the bytes from base + offsets[i] to base + offsets[i + 1]. */
  bytes(base: number, n: number): void;
  /** n 64-bit integers at the start of the staging area, INTEGERS at most. */
  ints(n: number): void;
  /** One key that is too long to be staged. */
  long(key: string | Uint8Array): void;
}

export function isIntegers(keys: object): keys is IntegerArray {
  return (
    keys instanceof Uint32Array ||
    keys instanceof Float64Array ||
    keys instanceof BigUint64Array ||
    keys instanceof BigInt64Array
  );
}

export function isPacked(keys: object): keys is PackedKeys {
  const { bytes, offsets } = keys as PackedKeys;
  return bytes instanceof Uint8Array && (offsets instanceof Uint32Array || offsets instanceof Int32Array);
}

/** Rejects what is not many keys; a single key is a common slip. */
export function checkKeys(keys: unknown): asserts keys is Keys {
  if (typeof keys === "object" && keys !== null && !(keys instanceof Uint8Array)) {
    // First, for packed keys that can be iterated too are taken as packed.
    if (isPacked(keys)) return checkOffsets(keys);
    if (Symbol.iterator in keys) return;
  }
  throw mustBe("keys", keys, "an iterable of keys such as [key], or { bytes, offsets }", TypeError);
}

function checkOffsets({ bytes, offsets }: PackedKeys): void {
  let from = 0;
  // There is one more than there are keys, so at least one.
  for (let i = 0; i < offsets.length || i === 0; i++) {
    const to = offsets[i]!;
    if (!(to >= from && to <= bytes.length)) {
      throw mustBe(`offsets[${i}]`, to, `from ${from} to ${bytes.length}`);
    }
    from = to;
  }
}

/** Finds the first bad key before anything is done with the good ones. */
export function checkEachKey(keys: Keys): void {
  if (Array.isArray(keys) || keys instanceof Float64Array) {
    let i = 0;
    // Most are strings: 1.2 ns each instead of 2.8.
    while (typeof keys[i] === "string") i++;
    for (; i < keys.length; i++) checkKey(keys[i], i);
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

/** The keys one by one; those that are packed, as views of their bytes. */
export function* eachKey(keys: Keys): Generator<Key, void> {
  if (!isPacked(keys)) return yield* keys as Iterable<Key>;
  const { bytes, offsets } = keys;
  for (let i = 1; i < offsets.length; i++) yield bytes.subarray(offsets[i - 1], offsets[i]);
}

/** Room for so many answers: `out` if given, which must be long enough. */
export function roomFor(count: number, out: Uint8Array = new Uint8Array(count)): Uint8Array {
  if (!(out instanceof Uint8Array)) throw mustBe("out", out, "a Uint8Array", TypeError);
  if (out.length < count) {
    throw new RangeError(`out has ${out.length} places for ${count} keys. Give a longer one, or none.`);
  }
  return out;
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
      for (let from = 0; from < n; from += BATCH) {
        const some = Math.min(BATCH, n - from);
        kernel.hashInts(KEYS_AT + from * 8, some, low, high, HASHES_AT);
        take(some);
      }
    },
    long(key) {
      hashLong(key, seed, stage);
      stage.hashes.set(stage.hashParts);
      take(1);
    },
  });
}

/** Stages all keys, batch by batch, for the visitor. */
export function eachBatch(keys: Keys, instance: Instance, visitor: BatchVisitor): void {
  if (Array.isArray(keys)) {
    // A slice is a snapshot: nothing the caller's array does while it is read can disturb what is staged.
    for (let i = 0, size: number; i < keys.length; i += size) {
      size = typeof keys[i] === "number" ? INTEGERS : BATCH;
      stageKeys(keys.slice(i, i + size), i, instance, visitor);
    }
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

/** Up to BATCH keys of any kinds, or INTEGERS if the first is a number; `index` is the place of the first, for messages. */
function stageKeys(keys: readonly Key[], index: number, instance: Instance, visitor: BatchVisitor): void {
  const kind = typeof keys[0];
  const staged =
    kind === "string"
      ? stageStrings(keys, index, instance, visitor)
      : kind === "number" && stageSafeIntegers(keys, index, instance, visitor);
  if (!staged) stageOneByOne(keys, index, instance, visitor);
}

/** All strings that fit together are encoded in one call; false where that cannot be done. */
function stageStrings(keys: readonly Key[], index: number, instance: Instance, visitor: BatchVisitor): boolean {
  const { offsets } = instance;
  // Not join: this loop is needed anyway, and a rope is flattened as it is encoded. 17 ns a key against 22.
  let joined = "";
  let units = 0;
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i];
    if (typeof key !== "string") return false;
    joined += key;
    // Not joined.length: that costs 1.4 ns, for a rope must be looked into.
    offsets[i + 1] = units += key.length;
    if (units > KEYS_SIZE) break;
  }
  const written = units <= KEYS_SIZE ? stageText(joined, instance) : -1;
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
function stageSafeIntegers(
  keys: readonly Key[] | Float64Array,
  index: number,
  instance: Instance,
  visitor: BatchVisitor,
): boolean {
  const { words } = instance;
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i];
    if (typeof key !== "number") return false;
    const low = key >>> 0;
    words[i * 2] = low;
    words[i * 2 + 1] = 0;
    // Most are smaller than 2^32, and then nothing is left to ask: 0.4 ns less.
    if (low === key) continue;
    if (!Number.isSafeInteger(key)) throw badKey(key, index + i);
    words[i * 2 + 1] = highHalf(key);
  }
  visitor.ints(keys.length);
  return true;
}

/** Keys of any kinds, each in its turn. */
function stageOneByOne(keys: readonly Key[], index: number, instance: Instance, visitor: BatchVisitor): void {
  const { keys: area, offsets } = instance;
  let staged = 0;
  let at = 0;
  /** Hands over what is staged unless there is room for so many bytes more. */
  const makeRoom = (bytes: number) => {
    if (staged < BATCH && at + bytes <= KEYS_SIZE) return;
    if (staged) visitor.bytes(KEYS_AT, staged);
    // The visitor may have used the stage for another batch.
    staged = at = offsets[0] = 0;
  };
  offsets[0] = 0;
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i] as Key;
    checkKey(key, index + i);
    // One question about the kind, and lengths read behind it: V8 in Node 20 moved the length of a string that might be
    // a number in front of a second question, and crashed.
    if (typeof key === "string" && key.length * 3 <= KEYS_SIZE) {
      makeRoom(key.length * 3);
      at = loopUtf8(key, area, at);
    } else {
      const bytes = bytesOf(key);
      makeRoom(bytes.length);
      if (bytes.length > KEYS_SIZE) {
        visitor.long(bytes);
        continue;
      }
      area.set(bytes, at);
      at += bytes.length;
    }
    offsets[++staged] = at;
  }
  makeRoom(Infinity);
}

/** The bytes of a key; those of an integer only until the next one. */
function bytesOf(key: Key): Uint8Array {
  if (typeof key === "string") return encodeString(key);
  if (typeof key === "object") return key;
  long[0] = BigInt(key);
  return longBytes;
}

function stageIntegers(keys: IntegerArray, instance: Instance, visitor: BatchVisitor): void {
  const { kernel, words, longs } = instance;
  // Seen as one type, 64-bit integers are copied, not converted one by one.
  const source = keys instanceof BigInt64Array ? new BigUint64Array(keys.buffer, keys.byteOffset, keys.length) : keys;
  for (let i = 0; i < source.length; i += INTEGERS) {
    const chunk = source.length > INTEGERS ? source.subarray(i, i + INTEGERS) : source;
    if (chunk instanceof Uint32Array) {
      words.set(chunk);
      kernel.widenU32(KEYS_AT, chunk.length);
    } else if (chunk instanceof Float64Array) {
      stageSafeIntegers(chunk, i, instance, visitor);
      continue;
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
