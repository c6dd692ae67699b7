// Where classic, partitioned and stable filters put a key, written a second time: in BigInt, from docs/FORMAT.md.

import type { Hash } from "./model.js";

const WORD = 2n ** 64n;
const GOLDEN = 0x9e3779b97f4a7c15n;

/** (h1 + i·h2) of 2^64, as so many bits of m. */
export function classicPositions({ h1, h2 }: Hash, bits: number, hashes: number): number[] {
  const m = BigInt(bits);
  const whole = m << 28n;
  const start = ((h1 >> 8n) * m) >> 28n;
  const step = (1n << 28n) + (((h2 >> 8n) * (m - 2n)) >> 28n);
  return Array.from({ length: hashes }, (_, i) => Number(((start + BigInt(i) * step) % whole) >> 28n));
}

/** k places among n, each from the whole hash. */
function places({ h1, h2 }: Hash, n: number, k: number): number[] {
  let x = h1;
  return Array.from({ length: k }, (_, i) => {
    if (i > 0) x = (x * GOLDEN + h2) % WORD;
    return Number((x * BigInt(n)) >> 64n);
  });
}

export function partitionedPositions(hash: Hash, sliceBits: number, hashes: number): number[] {
  return places(hash, sliceBits, hashes).map((place, i) => i * sliceBits + place);
}

export interface StableGeometry {
  readonly cells: number;
  readonly cellBits: number;
  readonly hashes: number;
  readonly fading: number;
}

/** A stable filter as an array of numbers. */
export class StableModel {
  readonly cells: number[];
  private adds = 0n;

  constructor(readonly geometry: StableGeometry) {
    this.cells = new Array(geometry.cells).fill(0);
  }

  has(hash: Hash): boolean {
    return this.placesOf(hash).every((place) => this.cells[place]! > 0);
  }

  add(hash: Hash): boolean {
    const { cells, cellBits, fading } = this.geometry;
    const isNew = !this.has(hash);
    let x = (hash.h1 + this.adds * GOLDEN) % WORD;
    x = ((x ^ (x >> 30n)) * 0xbf58476d1ce4e5b9n) % WORD;
    x = ((x ^ (x >> 27n)) * 0x94d049bb133111ebn) % WORD;
    const from = Number(((x ^ (x >> 31n)) * BigInt(cells)) >> 64n);
    for (let i = 0; i < fading; i++) {
      const cell = (from + i) % cells;
      this.cells[cell] = Math.max(0, this.cells[cell]! - 1);
    }
    for (const place of this.placesOf(hash)) this.cells[place] = 2 ** cellBits - 1;
    this.adds++;
    return isNew;
  }

  private placesOf(hash: Hash): number[] {
    return places(hash, this.geometry.cells, this.geometry.hashes);
  }
}
