import { show } from "../errors.js";

/** The 128 bits of a key's hash under a seed. */
export interface KeyHash {
  readonly seed: bigint;
  readonly h1: bigint;
  readonly h2: bigint;
}

export function toSeed(seed: unknown): bigint {
  if (
    (typeof seed === "bigint" && seed >= 0n && seed < 2n ** 64n) ||
    (Number.isSafeInteger(seed) && (seed as number) >= 0)
  ) {
    return BigInt(seed as number | bigint);
  }
  throw new RangeError(`seed is ${show(seed)}; it must be a whole number, or a bigint below 2^64, from 0 up.`);
}
