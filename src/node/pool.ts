import { Worker } from "node:worker_threads";
import type { Outcome, Task, WorkerStart } from "./worker.js";

/** A task, and what must not be copied on its way. */
export interface Job {
  readonly task: Task;
  readonly transfer?: ArrayBuffer[];
}

/**
 * Gives jobs to workers as they ask for more, so that no more jobs exist than workers, and tells every outcome. The
 * workers are gone when this settles.
 */
export async function runJobs(
  jobs: AsyncIterator<Job> | Iterator<Job>,
  workers: number,
  start: WorkerStart,
  signal: AbortSignal | undefined,
  tell: (outcome: Outcome) => void,
): Promise<void> {
  const pool = Array.from(
    { length: workers },
    // Flags that are meant for the program, such as --input-type, would stop a worker from starting.
    () => new Worker(new URL("./worker.js", import.meta.url), { workerData: start, execArgv: [] }),
  );
  try {
    await new Promise<void>((resolve, reject) => {
      const abort = () => reject(signal?.reason);
      signal?.throwIfAborted();
      signal?.addEventListener("abort", abort, { once: true });
      Promise.all(pool.map((worker) => work(worker, jobs, tell)))
        .then(() => resolve(), reject)
        .finally(() => signal?.removeEventListener("abort", abort));
    });
  } finally {
    await Promise.all(pool.map((worker) => worker.terminate()));
    // A source that holds something open, a file or a connection, can let go of it: when it comes to that, for it may be
    // waiting, and what went wrong is known already.
    Promise.resolve(jobs.return?.()).catch(() => {});
  }
}

/** One worker, job after job. */
async function work(
  worker: Worker,
  jobs: AsyncIterator<Job> | Iterator<Job>,
  tell: (outcome: Outcome) => void,
): Promise<void> {
  const outcomes = messages(worker);
  for (let next = await jobs.next(); !next.done; next = await jobs.next()) {
    worker.postMessage(next.value.task, next.value.transfer);
    tell(await outcomes());
  }
}

/** A function that waits for the next message, and rejects if the worker fails instead. */
function messages(worker: Worker): () => Promise<Outcome> {
  let settle: { resolve(outcome: Outcome): void; reject(reason: unknown): void } | undefined;
  let failure: unknown;
  const fail = (reason: unknown) => {
    failure = reason;
    settle?.reject(reason);
  };
  worker.on("message", (outcome: Outcome) => settle?.resolve(outcome));
  worker.on("error", fail);
  worker.on("exit", (code) => fail(new Error(`A worker ended with exit code ${code} before its work was done.`)));
  return () =>
    new Promise((resolve, reject) => {
      settle = { resolve, reject };
      if (failure !== undefined) reject(failure);
    });
}
