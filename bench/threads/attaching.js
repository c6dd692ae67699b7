// A thread that is new: how long its first attach() takes, the first answer after it, and a second attach().
import { parentPort, workerData } from "node:worker_threads";
import { BloomFilter } from "../../dist/index.js";

/** Milliseconds. */
function timed(action) {
  const began = performance.now();
  action();
  return performance.now() - began;
}

let filter;
timed(() => {});
const first = timed(() => {
  filter = BloomFilter.attach(workerData);
});
const answer = timed(() => filter.has("https://a.example/000000000001"));
const later = timed(() => BloomFilter.attach(workerData));
parentPort.postMessage({ first, answer, later });
