// One of the threads: waits for a task, starts it at the same moment as the others, and tells when it began and ended.
import { parentPort, workerData } from "node:worker_threads";
import { BloomFilter } from "../../dist/index.js";
import { fill, tasks } from "./tasks.js";

const { options, handle, thread, gate } = workerData;
const started = performance.now();
const shared = BloomFilter.attach(handle);
const attaching = performance.now() - started;
const local = new BloomFilter(options);
const made = new Map();

/** Threads that sleep start late, so they wait awake. */
function meet(threads, round) {
  Atomics.add(gate, 0, 1);
  while (Atomics.load(gate, 0) < threads * round) {
    // Soon.
  }
}

parentPort.on("message", ({ task, where, threads, round, empty }) => {
  const filter = where === "shared" ? shared : local;
  if (where === "local" && empty) local.clear();
  if (where === "local" && !empty && local.count === 0) fill(local);
  const id = `${task} ${where}`;
  if (!made.has(id)) made.set(id, tasks[task](filter, thread));
  const run = made.get(id);
  meet(threads, round);
  const began = performance.timeOrigin + performance.now();
  const operations = run();
  parentPort.postMessage({ began, ended: performance.timeOrigin + performance.now(), operations, attaching });
});
