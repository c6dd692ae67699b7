/** The exports of assembly/index.ts. Addresses, lengths and counts are 32-bit; answers are 0 or 1 where they are yes or no. */
export interface Kernel {
  useScratch(at: number): void;

  has(filter: number, key: number, length: number): number;
  add(filter: number, key: number, length: number): number;
  hasInt(filter: number, low: number, high: number): number;
  addInt(filter: number, low: number, high: number): number;
  hash(filter: number, key: number, length: number, hash: number): void;
  hasHash(filter: number, hash: number): number;
  addHash(filter: number, hash: number): number;

  hasMany(filter: number, keys: number, offsets: number, n: number, out: number): void;
  addMany(filter: number, keys: number, offsets: number, n: number): number;
  hasInts(filter: number, keys: number, n: number, out: number): void;
  addInts(filter: number, keys: number, n: number): number;

  widenU32(at: number, n: number): void;
  truncateF64(at: number, n: number): void;
  splitUtf8(bytes: number, offsets: number, n: number): number;

  hashBlocks(state: number, bytes: number, length: number): void;
  hashEnd(state: number, bytes: number, length: number, total: number): void;

  popcount(bytes: number, length: number): number;
  merge(filter: number, into: number, from: number, length: number): void;
  intersect(filter: number, into: number, from: number, length: number): void;
}
