import { show } from "../errors.js";

/**
 * What can be a member. A string is its UTF-8 bytes (lone surrogates as U+FFFD), a Uint8Array its bytes, and an integer
 * its 8 bytes, two's complement, little-endian: so `5`, `5n` and those 8 bytes are one key, and `"1"`, `1` and
 * `Uint8Array.of(1)` are three.
 */
export type Key = string | Uint8Array | number | bigint;

const MIN_INT64 = -(2n ** 63n);
const MAX_UINT64 = 2n ** 64n - 1n;

export function isInt64(key: bigint): boolean {
  return key >= MIN_INT64 && key <= MAX_UINT64;
}

/** The error for something that is not a key; `index` is its place in a batch. */
export function badKey(key: unknown, index?: number): TypeError | RangeError {
  const where = index === undefined ? "key" : `keys[${index}]`;
  if (typeof key === "number") {
    return new RangeError(`${where} is ${key}; a number key must be a safe integer. Use a bigint, or a string.`);
  }
  if (typeof key === "bigint") {
    return new RangeError(
      `${where} is ${key}n; a bigint key must lie between -2^63 and 2^64 - 1. Use its bytes, or a string.`,
    );
  }
  return new TypeError(`${where} is ${show(key)}; a key must be a string, a Uint8Array, a safe integer or a bigint.`);
}

export function checkKey(key: unknown, index?: number): asserts key is Key {
  switch (typeof key) {
    case "string":
      return;
    case "number":
      if (Number.isSafeInteger(key)) return;
      break;
    case "bigint":
      if (isInt64(key)) return;
      break;
    default:
      if (key instanceof Uint8Array) return;
  }
  throw badKey(key, index);
}

/** The high 32 bits of a safe integer; `key | 0` is the low ones. */
export function highHalf(key: number): number {
  return Math.floor(key / 4294967296);
}

/** A 64-bit integer in parts, without making further bigints: `long[0] = key`, then read the halves or bytes. */
export const long = new BigInt64Array(1);
export const halves = new Int32Array(long.buffer);
export const longBytes = new Uint8Array(long.buffer);
