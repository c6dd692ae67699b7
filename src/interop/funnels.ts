import { mustBe, show } from "../errors.js";
import type { IntegerArray, Keys, PackedKeys } from "../keys/batch.js";
import { isIntegers, isPacked } from "../keys/batch.js";
import { badKey, checkKey, type Key } from "../keys/key.js";

/** Values on their way through a funnel; packed ones are taken for the bytes that the funnel would have made. */
export type Values<T> = Iterable<T> | PackedKeys;

/** Values whose number is known. */
export type CountedValues<T> = readonly T[] | IntegerArray | PackedKeys;

/** What a Guava Funnel is in Java: it says which bytes of a value are hashed. */
export interface Funnel<T> {
  readonly name: string;
  /**
   * The key whose bytes Guava would hash: a string stands for its UTF-8 bytes, an integer for 8 bytes, little-endian. It
   * is used before the next value comes.
   */
  toKey(value: T): Key;
  /** The same for many, if there is a faster way than one by one. */
  toKeys?(values: readonly T[] | IntegerArray): Keys;
}

function refuse(value: unknown, funnel: string, allowed: string): TypeError {
  return new TypeError(`value is ${show(value)}; funnels.${funnel} takes ${allowed}.`);
}

const int = new Int32Array(1);
const intBytes = new Uint8Array(int.buffer);

function checkInt(value: number): number {
  if (typeof value !== "number") throw refuse(value, "integer", "a number");
  if ((value | 0) !== value) throw mustBe("value", value, "a whole number from -2^31 to 2^31 - 1: a Java int");
  return value;
}

function checkLong(value: number | bigint, index?: number): number | bigint {
  if (typeof value !== "number" && typeof value !== "bigint") throw refuse(value, "long", "a number or a bigint");
  checkKey(value, index);
  return value;
}

function checkString(value: string, funnel: string): string {
  if (typeof value !== "string") throw refuse(value, funnel, "a string");
  return value;
}

function checkBytes(value: Uint8Array): Uint8Array {
  if (!(value instanceof Uint8Array)) throw refuse(value, "bytes", "a Uint8Array");
  return value;
}

const loneSurrogate = /\p{Surrogate}/gu;

/** Java encodes a lone surrogate as a question mark, where JavaScript has U+FFFD. */
function asJava(text: string): string {
  return isWellFormed(text) ? text : text.replace(loneSurrogate, "?");
}

/** A third of the time of a regular expression, but not in every browser. */
const isWellFormed: (text: string) => boolean =
  "isWellFormed" in String.prototype
    ? (text) => (text as string & { isWellFormed(): boolean }).isWellFormed()
    : (text) => text.search(loneSurrogate) < 0;

/** Room for a string's units, and its bytes by the number of units, so that a short string needs no new view. */
const units = new Uint16Array(128);
const unitBytes = Array.from({ length: units.length + 1 }, (_, n) => new Uint8Array(units.buffer, 0, n * 2));

function writeUnits(text: string, out: Uint16Array, at: number): void {
  for (let i = 0; i < text.length; i++) out[at + i] = text.charCodeAt(i);
}

/** Guava's own funnels, by the names of com.google.common.hash.Funnels without the word Funnel. */
export const funnels = {
  /** integerFunnel: 4 bytes, little-endian. */
  integer: {
    name: "integer",
    toKey(value) {
      int[0] = checkInt(value);
      return intBytes;
    },
    toKeys(values) {
      const ints = new Int32Array(values.length);
      const offsets = new Uint32Array(values.length + 1);
      for (let i = 0; i < ints.length; i++) {
        ints[i] = checkInt(values[i] as number);
        offsets[i + 1] = (i + 1) * 4;
      }
      return { bytes: new Uint8Array(ints.buffer), offsets };
    },
  } as Funnel<number>,

  /** longFunnel: 8 bytes, little-endian. */
  long: {
    name: "long",
    toKey: (value) => checkLong(value),
    toKeys(values) {
      if (isIntegers(values)) return values;
      for (let i = 0; i < values.length; i++) checkLong(values[i] as number | bigint, i);
      return values;
    },
  } as Funnel<number | bigint>,

  /** stringFunnel(UTF_8). */
  string: {
    name: "string",
    toKey: (value) => asJava(checkString(value, "string")),
    toKeys(values) {
      const texts = values as readonly string[];
      const fine = texts.every((text) => isWellFormed(checkString(text, "string")));
      return fine ? texts : texts.map(asJava);
    },
  } as Funnel<string>,

  /** unencodedCharsFunnel: 2 bytes for each UTF-16 unit, little-endian. */
  unencodedChars: {
    name: "unencodedChars",
    toKey(value) {
      const { length } = checkString(value, "unencodedChars");
      const out = length <= units.length ? units : new Uint16Array(length);
      writeUnits(value, out, 0);
      return out === units ? (unitBytes[length] as Uint8Array) : new Uint8Array(out.buffer);
    },
    toKeys(values) {
      const texts = values as readonly string[];
      const offsets = new Uint32Array(texts.length + 1);
      for (let i = 0; i < texts.length; i++) {
        offsets[i + 1] = offsets[i]! + checkString(texts[i]!, "unencodedChars").length * 2;
      }
      const out = new Uint16Array(offsets[texts.length]! / 2);
      for (let i = 0; i < texts.length; i++) writeUnits(texts[i]!, out, offsets[i]! / 2);
      return { bytes: new Uint8Array(out.buffer), offsets };
    },
  } as Funnel<string>,

  /** byteArrayFunnel. */
  bytes: {
    name: "bytes",
    toKey: (value) => checkBytes(value),
    toKeys(values) {
      (values as readonly Uint8Array[]).forEach(checkBytes);
      return values;
    },
  } as Funnel<Uint8Array>,
};

export function checkFunnel(funnel: unknown): void {
  const { name, toKey } = (funnel ?? {}) as Partial<Funnel<unknown>>;
  if (typeof toKey === "function" && typeof name === "string") return;
  throw new TypeError(
    `funnel is ${show(funnel)}; it must be one of funnels (${Object.keys(funnels).join(", ")}) or { name, toKey }.`,
  );
}

/** How many values of an iterable are taken at a time. */
const PORTION = 4096;

/** Values by the portion: those whose number is known at once, so that a bad one is found before anything is done. */
export function* portions<T>(values: Values<T>): Generator<CountedValues<T>> {
  if (Array.isArray(values) || isIntegers(values) || isPacked(values)) {
    yield values as CountedValues<T>;
    return;
  }
  let portion: T[] = [];
  for (const value of values) {
    if (portion.push(value) < PORTION) continue;
    yield portion;
    portion = [];
  }
  yield portion;
}

/** What the filter gets for them. */
export function keysOf<T>(values: CountedValues<T>, funnel: Funnel<T>): Keys {
  if (isPacked(values)) return values;
  if (isIntegers(values) && funnel !== funnels.long && funnel !== funnels.integer) throw badKey(values);
  return funnel.toKeys?.(values) ?? Array.from(values as readonly T[], (value) => ownKey(funnel.toKey(value)));
}

/** A funnel may reuse its array. */
function ownKey(key: Key): Key {
  return key instanceof Uint8Array ? key.slice() : key;
}
