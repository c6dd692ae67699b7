// The size of a Guava BloomFilter, as its create() has it.

import { LINE, MAX_LINES } from "../engine/layout.js";
import { mustBe } from "../errors.js";

export interface GuavaSize {
  /** 64-bit words. */
  readonly longs: number;
  readonly hashes: number;
}

/** Guava stores k in a byte. */
export const MAX_GUAVA_HASHES = 255;
export const MAX_LONGS = (MAX_LINES * LINE) / 8;

/**
 * m = −n·ln p / (ln 2)², rounded down, then up to whole longs. k = round(m/n · ln 2), at least 1; newer versions of Guava
 * take round(−log2 p) instead, which differs for few keys only, where rounding m matters.
 */
export function guavaSizeFor(expectedInsertions: number, fpp: number, hashesFrom: "bits" | "fpp"): GuavaSize {
  if (!Number.isSafeInteger(expectedInsertions) || expectedInsertions < 0) {
    throw mustBe("expectedInsertions", expectedInsertions, "a whole number from 0 up");
  }
  if (typeof fpp !== "number" || !(fpp > 0 && fpp < 1)) throw mustBe("fpp", fpp, "a number between 0 and 1");
  if (hashesFrom !== "bits" && hashesFrom !== "fpp") throw mustBe("hashesFrom", hashesFrom, '"bits" or "fpp"');
  const n = Math.max(1, expectedInsertions);
  const bits = Math.trunc((-n * Math.log(fpp)) / (Math.LN2 * Math.LN2));
  const hashes = Math.max(1, Math.round(hashesFrom === "bits" ? (bits / n) * Math.LN2 : -Math.log(fpp) / Math.LN2));
  const longs = Math.ceil(bits / 64);
  if (longs < 1) throw mustBe("fpp", fpp, `small enough for ${n} keys to need one bit; Guava refuses it as well`);
  if (hashes > MAX_GUAVA_HASHES) {
    throw mustBe("fpp", fpp, `large enough for ${MAX_GUAVA_HASHES} hash functions; Guava refuses it as well`);
  }
  if (longs > MAX_LONGS) {
    throw mustBe("expectedInsertions", expectedInsertions, `small enough for ${MAX_LONGS} longs, just under 4 GiB`);
  }
  return { longs, hashes };
}
