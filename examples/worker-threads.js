// A pool of workers on one filter: node examples/worker-threads.js [keys]
// Each worker adds its share of the keys; then each asks for all of them. Nothing is copied.
import { once } from "node:events";
import { availableParallelism } from "node:os";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { BloomFilter } from "bloomline";

const url = (i) => `https://example.com/${i}`;

async function main() {
  const keys = Number(process.argv[2] ?? 1_000_000);
  const size = availableParallelism();
  const filter = new BloomFilter({ capacity: keys, errorRate: 0.001, shared: true });

  const pool = Array.from({ length: size }, () => {
    return new Worker(new URL(import.meta.url), { workerData: filter.share() });
  });
  const ask = async (worker, task) => {
    worker.postMessage(task);
    return (await once(worker, "message"))[0];
  };

  const share = Math.ceil(keys / size);
  await Promise.all(pool.map((worker, i) => ask(worker, { add: [i * share, Math.min((i + 1) * share, keys)] })));
  const found = await Promise.all(pool.map((worker) => ask(worker, { find: [0, keys] })));
  await Promise.all(pool.map((worker) => worker.terminate()));

  console.log(`${size} workers added ${keys} keys; the filter counts ${filter.count}.`);
  console.log(`Keys missed by any worker: ${found.reduce((sum, each) => sum + keys - each, 0)}`);
}

function work() {
  const filter = BloomFilter.attach(workerData);
  const urls = ([from, to]) => Array.from({ length: to - from }, (_, i) => url(from + i));
  parentPort.on("message", ({ add, find }) => {
    if (add) parentPort.postMessage(filter.addMany(urls(add)));
    else parentPort.postMessage(filter.hasMany(urls(find)).reduce((sum, answer) => sum + answer, 0));
  });
}

if (isMainThread) await main();
else work();
