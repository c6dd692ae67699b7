// The pool of worker-threads.js, by piscina: node examples/piscina.js [keys]
import { fileURLToPath } from "node:url";
import { BloomFilter } from "bloomline";
import { isWorkerThread, Piscina } from "piscina";

const url = (i) => `https://example.com/${i}`;

/** In a worker, the pool's filter; piscina hands every worker the same workerData. */
const filter = isWorkerThread ? BloomFilter.attach(Piscina.workerData) : undefined;

const urls = ([from, to]) => Array.from({ length: to - from }, (_, i) => url(from + i));

export function add(range) {
  return filter.addMany(urls(range));
}

export function find(range) {
  return filter.hasMany(urls(range)).reduce((sum, answer) => sum + answer, 0);
}

async function main() {
  const keys = Number(process.argv[2] ?? 1_000_000);
  const filter = new BloomFilter({ capacity: keys, errorRate: 0.001, shared: true });
  const pool = new Piscina({ filename: fileURLToPath(import.meta.url), workerData: filter.share() });

  const ranges = [];
  for (let from = 0; from < keys; from += 10_000) ranges.push([from, Math.min(from + 10_000, keys)]);
  await Promise.all(ranges.map((range) => pool.run(range, { name: "add" })));
  const found = await Promise.all(ranges.map((range) => pool.run(range, { name: "find" })));
  await pool.destroy();

  console.log(`${ranges.length} tasks added ${keys} keys; the filter counts ${filter.count}.`);
  console.log(`Keys missed: ${found.reduce((rest, each) => rest - each, keys)}`);
}

if (!isWorkerThread) await main();
