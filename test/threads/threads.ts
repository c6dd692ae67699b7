// How the tests of this folder start threads. They run on dist/, as users' threads do.
import { once } from "node:events";
import { setTimeout } from "node:timers/promises";
import { type Transferable, Worker } from "node:worker_threads";

export function startWorker(name: string, workerData: unknown, transferList: Transferable[] = []): Worker {
  return new Worker(new URL(`./workers/${name}.mjs`, import.meta.url), { workerData, transferList });
}

/** The first message of a worker; rejects if it fails. */
export async function messageOf<T>(worker: Worker): Promise<T> {
  return (await once(worker, "message"))[0] as T;
}

/** Starts workers, gives their first messages, and sees them end. */
export async function runWorkers<T>(name: string, workerData: readonly unknown[]): Promise<T[]> {
  const workers = workerData.map((data) => startWorker(name, data));
  try {
    return await Promise.all(workers.map((worker) => messageOf<T>(worker)));
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
}

/** One number that threads tell each other. */
export function sharedNumber(): Int32Array<SharedArrayBuffer> {
  return new Int32Array(new SharedArrayBuffer(4));
}

/** Resolves once a number that other threads raise has come to `least`. */
export async function reaches(number: Int32Array<SharedArrayBuffer>, least: number): Promise<void> {
  while (Atomics.load(number, 0) < least) await setTimeout(1);
}
