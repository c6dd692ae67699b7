/** What can be done with a key. */
export const HAS = 0;
export const ADD = 1;
export const DELETE = 2;
export type Action = typeof HAS | typeof ADD | typeof DELETE;

/** What is done to one filter. Addresses and counts are 32-bit; answers are 0 for no. */
export interface FilterKernel {
  act(filter: number, key: number, length: number, action: Action): number;
  actInt(filter: number, low: number, high: number, action: Action): number;
  actHash(filter: number, low1: number, high1: number, low2: number, high2: number, action: Action): number;
  /** Returns how many times the answer was yes. */
  actHashes(filter: number, hashes: number, n: number, out: number, action: Action): number;
}

/** The exports of assembly/core.ts, which every family has. */
export interface Kernel extends FilterKernel {
  hash(key: number, length: number, seedLow: number, seedHigh: number, at: number): void;
  hashKeys(keys: number, offsets: number, n: number, seedLow: number, seedHigh: number, hashes: number): void;
  hashInts(keys: number, n: number, seedLow: number, seedHigh: number, hashes: number): void;
  hashPiece(state: number, bytes: number, length: number): void;
  hashEnd(state: number, total: number): void;

  widenU32(at: number, n: number): void;
  splitUtf8(bytes: number, offsets: number, n: number): number;

  popcount(bytes: number, length: number): number;
  combine(into: number, from: number, length: number, common: number): void;

  /** Tells the kernel that its memory is shared. */
  useCounter(at: number): void;
}

/** What the family of deleting filters has besides. */
export interface DeletingKernel extends Kernel {
  /** Counters -> bits, in place. */
  packCells(at: number, length: number, log: number, least: number): void;
  /** How many slots are full, or -1 if no filter looks like that. */
  census(filter: number, end: number): number;
  listFingerprints(filter: number, walk: number, out: number, n: number): number;
  addFingerprints(filter: number, at: number, n: number): number;
}

/** What the frozen family has besides: values, banks, and building. A record is 8 bytes, or 16 with a value. */
export interface FrozenKernel extends Kernel {
  getHash(filter: number, low1: number, high1: number, low2: number, high2: number): number;
  putHash(filter: number, low1: number, high1: number, low2: number, high2: number, value: number): number;
  addHashAt(filter: number, low1: number, high1: number, low2: number, high2: number, place: number): number;
  whichWord(filter: number, low1: number, high1: number, low2: number, high2: number, index: number): number;
  which(filter: number, low1: number, high1: number, low2: number, high2: number, out: number): void;

  sort(list: number, n: number, record: number, spare: number, counts: number): void;
  distinct(list: number, n: number, record: number): number;
  remixAll(list: number, n: number, record: number): void;
  peel(filter: number, list: number, n: number, record: number, work: number): number;
  golombRange(filter: number, list: number, n: number): void;
  golombEncode(filter: number, list: number, n: number): number;
  golombValues(filter: number, out: number, most: number): number;
}

/** What the family of other systems' filters has besides: Redis items have hashes of their own. */
export interface ForeignKernel extends Kernel {
  hashItem(item: number, length: number, how: number, at: number): void;
  hashItems(items: number, offsets: number, n: number, how: number, hashes: number): void;
}
