import { stat } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { BATCH, HASH } from "../engine/layout.js";
import { mustBe } from "../errors.js";
import { BloomFilter, type BloomFilterOptions } from "../filters/bloom-filter.js";
import { regionOf } from "../filters/line-filter.js";
import { checkEachKey, checkKeys, countOf, eachHashedBatch, type Keys } from "../keys/batch.js";
import { checkKey, type Key } from "../keys/key.js";
import { countFileLines } from "./lines.js";
import { type Job, runJobs } from "./pool.js";

/** Keys: in memory, as they come, or the lines of a file, given by its path or URL. */
export type KeySource = Keys | AsyncIterable<Key> | string | URL;

export interface ParallelProgress {
  /** Keys added so far. */
  readonly keys: number;
  /** How much of the source is done, from 0 to 1; undefined where its length is not known. */
  readonly fraction: number | undefined;
}

export interface ParallelOptions {
  /** How many threads add; as many as the machine has cores unless given. */
  readonly workers?: number;
  readonly onProgress?: (progress: ParallelProgress) => void;
  /** Stops the work; what was added so far stays in the filter. */
  readonly signal?: AbortSignal;
}

/** Bytes of a file in one task, and hashes in one. */
const STRETCH = 4 << 20;
const HASHES = 16 * BATCH;

/**
 * Adds keys to a shared filter with a pool of workers, and returns how many changed it. A key that two workers add at the
 * same moment may count for both; the bits are those that one thread would have set.
 */
export async function addManyParallel(
  filter: BloomFilter,
  source: KeySource,
  options: ParallelOptions = {},
): Promise<number> {
  const { workers = availableParallelism(), onProgress, signal } = options;
  if (!Number.isInteger(workers) || workers < 1 || workers > 256) {
    throw mustBe("workers", workers, "a whole number from 1 to 256");
  }
  if (!(filter instanceof BloomFilter)) throw mustBe("filter", filter, "a BloomFilter", TypeError);
  const handle = filter.share();
  // The workers attach for writing, whatever this thread may do.
  regionOf(filter).checkWritable();
  const path = pathOf(source);
  const size = path === undefined ? knownCount(source as Keys) : await fileSize(path);
  const jobs = path === undefined ? hashJobs(filter, source as Keys | AsyncIterable<Key>) : fileJobs(size as number);
  let keys = 0;
  let changed = 0;
  let done = 0;
  await runJobs(jobs, workers, { handle, path }, signal, (outcome) => {
    keys += outcome.keys;
    changed += outcome.changed;
    done = path === undefined ? keys : Math.min(done + STRETCH, size as number);
    onProgress?.({ keys, fraction: size === undefined ? undefined : done / Math.max(1, size) });
  });
  return changed;
}

/**
 * A shared filter of the keys of a source, built by a pool of workers: byte for byte the one that a single thread builds.
 * Its capacity is the number of keys unless given; an iterable's number is not known, so it needs one.
 */
export async function buildFilter(
  source: KeySource,
  options: Partial<BloomFilterOptions> & ParallelOptions = {},
): Promise<BloomFilter> {
  const { workers, onProgress, signal, ...filterOptions } = options;
  const capacity = options.capacity ?? (await countKeys(source, signal));
  const filter = new BloomFilter({ ...filterOptions, capacity, shared: true });
  const parallel: ParallelOptions = {
    ...(workers !== undefined && { workers }),
    ...(onProgress && { onProgress }),
    ...(signal && { signal }),
  };
  await addManyParallel(filter, source, parallel);
  return filter;
}

function pathOf(source: KeySource): string | undefined {
  if (source instanceof URL) return fileURLToPath(source);
  return typeof source === "string" ? source : undefined;
}

async function fileSize(path: string): Promise<number> {
  const file = await stat(path);
  if (file.isFile()) return file.size;
  throw new TypeError(`${path} is not a regular file. Give a pipe or a device as an async iterable of its lines.`);
}

async function countLines(path: string, signal: AbortSignal | undefined): Promise<number> {
  await fileSize(path);
  return countFileLines(path, signal);
}

function isAsync(source: unknown): source is AsyncIterable<Key> {
  return typeof source === "object" && source !== null && Symbol.asyncIterator in source;
}

/** How many keys there are, where that can be told without reading them. A bad one in an array is found here. */
function knownCount(source: Keys | AsyncIterable<Key>): number | undefined {
  if (isAsync(source)) return undefined;
  checkKeys(source);
  checkEachKey(source);
  return "offsets" in source || "length" in source ? countOf(source) : undefined;
}

async function countKeys(source: KeySource, signal: AbortSignal | undefined): Promise<number> {
  const path = pathOf(source);
  const count = path === undefined ? knownCount(source as Keys) : await countLines(path, signal);
  if (count === undefined) {
    throw new RangeError("capacity is undefined; the number of keys in an iterable is not known in advance. Give one.");
  }
  return Math.max(1, count);
}

function* fileJobs(size: number): Generator<Job> {
  for (let from = 0; from < size; from += STRETCH) yield { task: { from, to: Math.min(from + STRETCH, size) } };
}

/** Keys in memory are hashed here, and their hashes added elsewhere: cheaper than to move the keys. */
async function* hashJobs(filter: BloomFilter, source: Keys | AsyncIterable<Key>): AsyncGenerator<Job> {
  const { stage } = regionOf(filter);
  let full: Int32Array<ArrayBuffer>[] = [];
  let hashes = new Int32Array((HASHES * HASH) / 4);
  let at = 0;
  const hash = (keys: Keys) =>
    eachHashedBatch(keys, filter.seed, stage, (n) => {
      if (at + n * 4 > hashes.length) cut();
      hashes.set(stage.hashes.subarray(0, n * 4), at);
      at += n * 4;
    });
  const cut = () => {
    full.push(hashes.subarray(0, at));
    hashes = new Int32Array((HASHES * HASH) / 4);
    at = 0;
  };
  for await (const keys of pieces(source)) {
    hash(keys);
    const jobs = full;
    full = [];
    for (const done of jobs) yield { task: { hashes: done }, transfer: [done.buffer] };
  }
  if (at > 0) yield { task: { hashes: hashes.subarray(0, at) }, transfer: [hashes.buffer] };
}

/** The keys in stretches: of arrays as they lie, of what comes one by one in batches. */
async function* pieces(source: Keys | AsyncIterable<Key>): AsyncGenerator<Keys> {
  if (Array.isArray(source)) {
    for (let i = 0; i < source.length; i += HASHES) yield source.slice(i, i + HASHES);
  } else if ("offsets" in source) {
    const { bytes, offsets } = source;
    for (let i = 0; i < offsets.length - 1; i += HASHES) yield { bytes, offsets: offsets.subarray(i, i + HASHES + 1) };
  } else if (ArrayBuffer.isView(source)) {
    for (let i = 0; i < source.length; i += HASHES) yield source.subarray(i, i + HASHES);
  } else {
    let batch: Key[] = [];
    let index = 0;
    for await (const key of source as AsyncIterable<Key> | Iterable<Key>) {
      checkKey(key, index++);
      if (batch.push(key) < BATCH) continue;
      yield batch;
      batch = [];
    }
    yield batch;
  }
}
