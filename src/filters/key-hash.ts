import { BloomlineError, mustBe } from "../errors.js";

/** The 128 bits of a key's hash under a seed. */
export interface KeyHash {
  readonly seed: bigint;
  readonly h1: bigint;
  readonly h2: bigint;
}

export function toSeed(seed: unknown = 0n): bigint {
  if (
    (typeof seed === "bigint" && seed >= 0n && seed < 2n ** 64n) ||
    (Number.isSafeInteger(seed) && (seed as number) >= 0)
  ) {
    return BigInt(seed as number | bigint);
  }
  throw mustBe("seed", seed, "a safe integer or bigint from 0 to 2^64 - 1");
}

const whole = new BigUint64Array(2);
const parts = new Int32Array(whole.buffer);

/** A hash in 32-bit parts, for the kernel; the same array each time. */
export function hashParts(hash: KeyHash, seed: bigint): Int32Array {
  if (typeof hash !== "object" || hash === null || typeof hash.h1 !== "bigint" || typeof hash.h2 !== "bigint") {
    throw mustBe("hash", hash, "what filter.hash(key) returned", TypeError);
  }
  if (hash.seed !== seed) {
    throw new BloomlineError(
      "ERR_INCOMPATIBLE",
      `The hash was made with seed ${hash.seed}; this filter has seed ${seed}. Hash the key with this filter.`,
    );
  }
  whole[0] = hash.h1;
  whole[1] = hash.h2;
  return parts;
}
