import { BloomFilter as NpmBloomFilter } from "bloomfilter";
import { BloomFilter, type FilterHandle } from "bloomline";

export const ERROR_RATE = 0.01;

/** A set of strings, as the race sees it. */
export interface Subject {
  addMany(keys: readonly string[]): void;
  has(key: string): boolean;
  hasMany?(keys: readonly string[]): Uint8Array;
  /** What it takes in memory, where that can be told. */
  readonly byteLength?: number;
  share?(): FilterHandle;
}

const bloomline = (engine: "wasm" | "js", shared: boolean) => (capacity: number) =>
  new BloomFilter({ capacity, errorRate: ERROR_RATE, engine, shared });

/** Each with its own loop of adds, so that the optimiser sees one class only. */
export const subjects = {
  wasm: bloomline("wasm", false),
  js: bloomline("js", false),
  shared: bloomline("wasm", true),
  bloomfilter(capacity: number): Subject {
    const filter = NpmBloomFilter.withTargetError(capacity, ERROR_RATE);
    return {
      addMany: (keys) => {
        for (const key of keys) filter.add(key);
      },
      has: (key) => filter.test(key),
      byteLength: filter.buckets.byteLength,
    };
  },
  set(): Subject {
    const set = new Set<string>();
    return {
      addMany: (keys) => {
        for (const key of keys) set.add(key);
      },
      has: (key) => set.has(key),
    };
  },
} satisfies Record<string, (capacity: number) => Subject>;

export type SubjectName = keyof typeof subjects;
