// The size of a layer of a RedisBloom filter, as its bloom_init has it, constants and all.

import { exactLog } from "./exact-log.js";

/** What a layer is, as a dump's header lists it. */
export interface RedisBloomLayer {
  readonly bytes: number;
  readonly bits: number;
  /** How many items were added to it. */
  size: number;
  readonly error: number;
  /** Bits per entry. */
  readonly bpe: number;
  readonly hashes: number;
  /** How many items it is for. */
  readonly entries: number;
  /** Where not 0, positions are modulo 2^n2, not modulo bits. */
  readonly n2: number;
}

/** Of a whole filter. NOROUND: any number of bits, not a power of two; FORCE64: 64-bit hashes. */
export const NOROUND = 1;
export const FORCE64 = 4;
export const NO_SCALING = 8;

// biome-ignore lint/suspicious/noApproximativeNumericConstant: one digit short, as RedisBloom has it
export const LN2 = 0.693147180559945;
const LN2_SQUARED = 0.480453013918201;

export function sizeOfLayer(entries: number, error: number, options: number): RedisBloomLayer {
  const bpe = Math.abs(exactLog(error) / LN2_SQUARED);
  let bits = Math.max(1, Math.trunc(entries * bpe));
  let n2 = 0;
  let room = entries;
  if (!(options & NOROUND)) {
    n2 = exponentOf(entries * bpe) + 1;
    bits = 2 ** n2;
    room += Math.trunc(Math.trunc(bits - entries * bpe) / bpe);
  }
  const bytes = Math.ceil(bits / 64) * 8;
  return { bytes, bits: bytes * 8, size: 0, error, bpe, hashes: Math.ceil(LN2 * bpe), entries: room, n2 };
}

/** floor(log2 x), from 1 up. */
function exponentOf(x: number): number {
  let exponent = 0;
  while (2 ** (exponent + 1) <= x) exponent++;
  return exponent;
}
