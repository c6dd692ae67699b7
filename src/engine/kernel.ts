/** What is done to one filter. Addresses and counts are 32-bit; answers are 0 or 1 where they are yes or no. */
export interface FilterKernel extends HashedKernel {
  has(filter: number, key: number, length: number): number;
  add(filter: number, key: number, length: number): number;
}

/** What needs no key bytes. */
interface HashedKernel {
  hasInt(filter: number, low: number, high: number): number;
  addInt(filter: number, low: number, high: number): number;
  hasHash(filter: number, low1: number, high1: number, low2: number, high2: number): number;
  addHash(filter: number, low1: number, high1: number, low2: number, high2: number): number;
  hasHashes(filter: number, hashes: number, n: number, out: number): void;
  addHashes(filter: number, hashes: number, n: number): number;
}

/** The exports of assembly/local.ts. */
export interface LocalKernel extends FilterKernel {
  hash(key: number, length: number, seedLow: number, seedHigh: number, at: number): void;
  hashKeys(keys: number, offsets: number, n: number, seedLow: number, seedHigh: number, hashes: number): void;
  hashInts(keys: number, n: number, seedLow: number, seedHigh: number, hashes: number): void;
  hashPiece(state: number, bytes: number, length: number): void;
  hashEnd(state: number, total: number): void;

  widenU32(at: number, n: number): void;
  truncateF64(at: number, n: number): void;
  splitUtf8(bytes: number, offsets: number, n: number): number;

  popcount(bytes: number, length: number): number;
  merge(into: number, from: number, length: number): number;
  intersect(into: number, from: number, length: number): number;
}

/** The exports of assembly/shared.ts. */
export interface SharedMemoryKernel extends HashedKernel {
  useCounter(at: number): void;
}
