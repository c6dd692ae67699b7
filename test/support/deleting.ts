// The deleting filters, written a second time from docs/FORMAT.md: slowly, and with nothing of the kernel.

import type { CompactBloomFilter, CountingBloomFilter, Key, QuotientFilter } from "bloomline";
import { bytesOf, type Hash, murmur3 } from "./model.js";

const wrap = (x: bigint) => x % 2n ** 64n;

/** The distinct cells of a hash among `cells`: 128 or 64. */
export function cellsOf(h2: bigint, hashes: number, cells: number): Set<number> {
  const width = Math.log2(cells);
  const slices = Math.floor(63 / width);
  const found = new Set<number>();
  for (let i = 0; i < hashes; i++) {
    if (i > 0 && i % slices === 0) {
      h2 = wrap((h2 ^ (h2 >> 32n)) * 0x9e3779b97f4a7c15n);
      h2 ^= h2 >> 29n;
    }
    found.add(Number((h2 >> BigInt(width * (i % slices))) % BigInt(cells)));
  }
  return found;
}

/** Every counter of a CountingBloomFilter. */
export class CountingModel {
  readonly counters: number[];
  readonly #most: number;

  constructor(readonly filter: CountingBloomFilter) {
    this.counters = new Array(filter.lines * (512 / filter.counterBits)).fill(0);
    this.#most = 2 ** filter.counterBits - 1;
  }

  #positions(key: Key): number[] {
    const { lines, hashes, counterBits, seed } = this.filter;
    const { h1, h2 } = murmur3(bytesOf(key), seed);
    const cells = 512 / counterBits;
    const line = Number(((h1 >> 32n) * BigInt(lines)) >> 32n);
    return [...cellsOf(h2, hashes, cells)].map((cell) => line * cells + cell);
  }

  has(key: Key): boolean {
    return this.#positions(key).every((position) => this.counters[position]! > 0);
  }

  step(key: Key, by: 1 | -1): void {
    for (const position of this.#positions(key)) {
      if (this.counters[position]! < this.#most) this.counters[position]! += by;
    }
  }

  /** A counter at a time, the first in the lowest bits. */
  lines(): Uint8Array {
    const { counterBits, lines } = this.filter;
    const bytes = new Uint8Array(lines * 64);
    this.counters.forEach((counter, i) => {
      const bit = i * counterBits;
      bytes[bit >> 3]! |= counter << (bit & 7);
    });
    return bytes;
  }
}

/** The lines of a CompactBloomFilter that holds these keys. */
export function compactLines(filter: CompactBloomFilter, keys: readonly Key[]): Uint8Array {
  const { blocks, blockBits, hashes, seed, lines } = filter;
  const bytes = new Uint8Array(lines * 64);
  for (const key of keys) {
    const { h1, h2 } = murmur3(bytesOf(key), seed);
    const block = Number(((h1 >> 32n) * BigInt(blocks)) >> 32n);
    for (const cell of cellsOf(h2, hashes, blockBits)) {
      const bit = block * blockBits + cell;
      bytes[bit >> 3]! |= 1 << (bit & 7);
    }
  }
  return bytes;
}

/** The fingerprint of a key in a QuotientFilter. */
export function fingerprintOf(filter: QuotientFilter, hash: Hash): bigint {
  return (hash.h1 * BigInt(filter.slots)) >> BigInt(64 - filter.remainderBits);
}

/** The lines of a QuotientFilter that holds these fingerprints: laid out at once, in order, not one after the other. */
export function quotientLines(filter: QuotientFilter, fingerprints: readonly bigint[]): Uint8Array {
  const { slots, remainderBits, lines } = filter;
  const shift = BigInt(remainderBits);
  const sorted = [...fingerprints].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  // What runs over the end comes round to the front, where it pushes the others on: the second time round it is known.
  let next = 0;
  let places: number[] = [];
  for (let round = 0; round < 2; round++) {
    places = sorted.map((fingerprint) => {
      const place = Math.max(next, Number(fingerprint >> shift));
      next = place + 1;
      return place;
    });
    next = Math.max(0, next - slots);
  }
  const values = new Array<bigint>(slots).fill(0n);
  sorted.forEach((fingerprint, i) => {
    const quotient = fingerprint >> shift;
    const isContinuation = i > 0 && sorted[i - 1]! >> shift === quotient;
    const isShifted = places[i] !== Number(quotient);
    const remainder = fingerprint & ((1n << shift) - 1n);
    values[places[i]! % slots]! |= (remainder << 3n) | (isShifted ? 4n : 0n) | (isContinuation ? 2n : 0n);
    values[Number(quotient)]! |= 1n;
  });
  let all = 0n;
  for (let i = slots; i-- > 0; ) all = (all << (shift + 3n)) | values[i]!;
  const bytes = new Uint8Array(lines * 64);
  for (let i = 0; i < bytes.length; i++, all >>= 8n) bytes[i] = Number(all & 255n);
  return bytes;
}
