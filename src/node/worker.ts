// One of the threads that addManyParallel puts to work.
import { type FileHandle, open } from "node:fs/promises";
import { parentPort, workerData } from "node:worker_threads";
import type { FilterHandle } from "../engine/handle.js";
import { ADD } from "../engine/kernel.js";
import { BATCH, HASH, HASHES_AT, RESULTS_AT } from "../engine/layout.js";
import { BloomFilter } from "../filters/bloom-filter.js";
import { regionOf } from "../filters/line-filter.js";
import { readLines } from "./lines.js";

/** Hashes of keys, or a stretch of a file whose lines are keys. */
export type Task = { readonly hashes: Int32Array<ArrayBuffer> } | { readonly from: number; readonly to: number };

/** What became of a task: how many keys there were, and how many changed the filter. */
export interface Outcome {
  readonly keys: number;
  readonly changed: number;
}

export interface WorkerStart {
  readonly handle: FilterHandle;
  readonly path: string | undefined;
}

function addHashes(filter: BloomFilter, hashes: Int32Array): Outcome {
  const { stage, kernel, at } = regionOf(filter);
  const step = (BATCH * HASH) / 4;
  let changed = 0;
  for (let i = 0; i < hashes.length; i += step) {
    const batch = hashes.subarray(i, i + step);
    stage.hashes.set(batch);
    changed += kernel.actHashes(at, HASHES_AT, batch.length / 4, RESULTS_AT, ADD);
  }
  return { keys: hashes.length / 4, changed };
}

async function addLines(filter: BloomFilter, file: FileHandle, from: number, to: number): Promise<Outcome> {
  const keys = await readLines(file, from, to);
  return { keys: keys.offsets.length - 1, changed: filter.addMany(keys) };
}

const { handle, path } = workerData as WorkerStart;
const filter = BloomFilter.attach(handle);
const file = path === undefined ? undefined : await open(path, "r");
parentPort?.on("message", async (task: Task) => {
  const outcome =
    "hashes" in task ? addHashes(filter, task.hashes) : await addLines(filter, file as FileHandle, task.from, task.to);
  parentPort?.postMessage(outcome);
});
