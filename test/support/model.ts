// The filter, written a second time: slowly, in BigInt, from its description and not from the kernel. It predicts every
// bit.

import type { Key } from "bloomline";

const WORD = 2n ** 64n;
const wrap = (x: bigint) => x % WORD;
const rotl = (x: bigint, by: bigint) => wrap(x << by) | (x >> (64n - by));

function avalanche(x: bigint): bigint {
  x = wrap((x ^ (x >> 33n)) * 0xff51afd7ed558ccdn);
  x = wrap((x ^ (x >> 33n)) * 0xc4ceb9fe1a85ec53n);
  return x ^ (x >> 33n);
}

/** Up to eight bytes from `at` on as a little-endian number. */
function littleEndian(bytes: Uint8Array, at: number): bigint {
  let value = 0n;
  for (let i = Math.min(at + 8, bytes.length); i-- > at; ) value = (value << 8n) + BigInt(bytes[i]!);
  return value;
}

export interface Hash {
  readonly h1: bigint;
  readonly h2: bigint;
}

/** MurmurHash3_x64_128; both halves of the state start at the seed. */
export function murmur3(bytes: Uint8Array, seed = 0n): Hash {
  const c1 = 0x87c37b91114253d5n;
  const c2 = 0x4cf5ad432745937fn;
  const low = (at: number) => wrap(rotl(wrap(littleEndian(bytes, at) * c1), 31n) * c2);
  const high = (at: number) => wrap(rotl(wrap(littleEndian(bytes, at + 8) * c2), 33n) * c1);
  let h1 = seed;
  let h2 = seed;
  let at = 0;
  for (; at + 16 <= bytes.length; at += 16) {
    h1 = wrap((rotl(h1 ^ low(at), 27n) + h2) * 5n + 0x52dce729n);
    h2 = wrap((rotl(h2 ^ high(at), 31n) + h1) * 5n + 0x38495ab5n);
  }
  // Words beyond the end are zero, and zero mixes to zero.
  h1 ^= low(at) ^ BigInt(bytes.length);
  h2 ^= high(at) ^ BigInt(bytes.length);
  h1 = wrap(h1 + h2);
  h2 = wrap(h2 + h1);
  h1 = avalanche(h1);
  h2 = avalanche(h2);
  h1 = wrap(h1 + h2);
  h2 = wrap(h2 + h1);
  return { h1, h2 };
}

/** The bytes a key stands for. */
export function bytesOf(key: Key): Uint8Array {
  if (typeof key === "string") return new TextEncoder().encode(key);
  if (key instanceof Uint8Array) return key;
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt.asUintN(64, BigInt(key)), true);
  return bytes;
}

export interface ModelOptions {
  readonly lines: number;
  readonly hashes: number;
  readonly seed: bigint;
}

/** A cache-line Bloom filter of the given geometry. */
export class Model {
  readonly bits: Uint8Array;

  constructor(readonly options: ModelOptions) {
    this.bits = new Uint8Array(options.lines * 64);
  }

  /** The positions of a hash, counted from the first bit of the first line. */
  positions({ h1, h2 }: Hash): number[] {
    const { lines, hashes } = this.options;
    const line = Number(((h1 >> 32n) * BigInt(lines)) >> 32n);
    return Array.from({ length: hashes }, (_, i) => {
      // Seven slices of nine bits; then the word is remixed for the next seven.
      if (i > 0 && i % 7 === 0) {
        h2 = wrap((h2 ^ (h2 >> 32n)) * 0x9e3779b97f4a7c15n);
        h2 ^= h2 >> 29n;
      }
      return line * 512 + Number((h2 >> BigInt(9 * (i % 7))) % 512n);
    });
  }

  hash(key: Key): Hash {
    return murmur3(bytesOf(key), this.options.seed);
  }

  /** True: at least one bit was new. */
  add(key: Key): boolean {
    let changed = false;
    for (const position of this.positions(this.hash(key))) {
      const bit = 1 << (position % 8);
      const at = Math.floor(position / 8);
      changed ||= (this.bits[at]! & bit) === 0;
      this.bits[at]! |= bit;
    }
    return changed;
  }

  has(key: Key): boolean {
    return this.positions(this.hash(key)).every((position) => {
      return (this.bits[Math.floor(position / 8)]! >> (position % 8)) & 1;
    });
  }
}
