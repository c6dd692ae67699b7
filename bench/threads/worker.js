// One of the threads: waits for a task, starts it at the same moment as the others, and tells when it began and ended.
import { parentPort, workerData } from "node:worker_threads";
import { BloomFilter } from "../../dist/index.js";
import { fill, optionsFor, purposeOf, startsEmpty, tasks } from "./tasks.js";

const { handles, thread, gate } = workerData;
const made = new Map();

/** The run of a task on a filter, made once: its keys, and the filter if it is this thread's own. */
function runOf(task, where) {
  const id = `${task} ${where}`;
  if (!made.has(id)) {
    const purpose = purposeOf(task);
    const filter = where === "shared" ? BloomFilter.attach(handles[purpose]) : new BloomFilter(optionsFor[purpose]);
    if (where === "local" && !startsEmpty(task)) fill(filter);
    made.set(id, { filter, run: tasks[task](filter, thread) });
  }
  return made.get(id);
}

/** Threads that sleep start late, so they wait awake. */
function meet(threads, round) {
  Atomics.add(gate, 0, 1);
  while (Atomics.load(gate, 0) < threads * round) {
    // Soon.
  }
}

parentPort.on("message", ({ task, where, threads, round }) => {
  const { filter, run } = runOf(task, where);
  if (where === "local" && startsEmpty(task)) filter.clear();
  meet(threads, round);
  const began = performance.timeOrigin + performance.now();
  const operations = run();
  parentPort.postMessage({ began, ended: performance.timeOrigin + performance.now(), operations });
});
