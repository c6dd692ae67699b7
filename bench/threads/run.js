// One shared filter and 1 to n threads, beside one thread on a local filter: node bench/threads/run.js [rounds] [threads]
// Rounds are interleaved, and the best of each counts: the machine's other work only ever takes away.
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { BloomFilter } from "../../dist/index.js";
import { plot } from "./plot.js";
import { fill, startsEmpty, tasks } from "./tasks.js";

const ROUNDS = Number(process.argv[2] ?? 200);
const THREADS = Number(process.argv[3] ?? availableParallelism());

const options = { capacity: 1_000_000, errorRate: 0.01 };
const filter = new BloomFilter({ ...options, shared: true });
const gates = Array.from({ length: THREADS + 1 }, () => new Int32Array(new SharedArrayBuffer(4)));

/** The threads of each setting are its own, so that what one has learnt to do fast does not depend on the others. */
const settings = [
  { where: "local", threads: 1 },
  ...Array.from({ length: THREADS }, (_, i) => ({ where: "shared", threads: i + 1 })),
].map(({ where, threads }, i) => ({
  where,
  threads,
  round: 0,
  workers: Array.from({ length: threads }, (_, thread) => {
    const workerData = { options, handle: filter.share(), thread, gate: gates[i] };
    return new Worker(new URL("./worker.js", import.meta.url), { workerData });
  }),
}));

/** The first attach() of a thread, in milliseconds. */
let attaching = Number.POSITIVE_INFINITY;

/** Operations a millisecond, all threads together, from the first start to the last end. */
async function throughput(task, setting) {
  const { where, threads, workers } = setting;
  setting.round++;
  const empty = startsEmpty(task);
  if (empty) filter.clear();
  else if (filter.count === 0) fill(filter);
  for (const worker of workers) worker.postMessage({ task, where, threads, round: setting.round, empty });
  const runs = (await Promise.all(workers.map((worker) => once(worker, "message")))).map(([run]) => run);
  attaching = Math.min(attaching, ...runs.map((run) => run.attaching));
  const operations = runs.reduce((sum, run) => sum + run.operations, 0);
  return operations / (Math.max(...runs.map((run) => run.ended)) - Math.min(...runs.map((run) => run.began)));
}

const nameOf = ({ where, threads }) => `${where} ${threads}`;
const best = {};
for (const task of Object.keys(tasks)) {
  best[task] = {};
  for (let round = 0; round < ROUNDS; round++) {
    for (const setting of settings) {
      const rate = await throughput(task, setting);
      best[task][nameOf(setting)] = Math.max(best[task][nameOf(setting)] ?? 0, rate);
    }
  }
  const shown = Object.entries(best[task]).map(([name, rate]) => `${name}: ${(rate / 1000).toFixed(1)}`);
  console.log(`${task.padEnd(42)}${shown.join("   ")}   million a second`);
}

for (const { workers } of settings) for (const worker of workers) await worker.terminate();

/** What a shared filter must reach. */
function goal(what, ratio, least) {
  console.log(`${ratio >= least ? "PASS" : "MISS"}  ${what}: ${ratio.toFixed(2)}, at least ${least}`);
}
const [integers, batches, singles, adds] = Object.keys(tasks);
console.log();
if (THREADS >= 2) {
  for (const task of [integers, batches]) {
    goal(`two threads against one, ${task}`, best[task]["shared 2"] / best[task]["shared 1"], 1.75);
  }
  goal(`two threads against one, ${adds}`, best[adds]["shared 2"] / best[adds]["shared 1"], 1.4);
}
for (const task of [integers, batches]) {
  goal(`shared against local, one thread, ${task}`, best[task]["shared 1"] / best[task]["local 1"], 0.9);
}
goal(`shared against local, one thread, ${singles}`, best[singles]["shared 1"] / best[singles]["local 1"], 0.8);

console.log(`${attaching < 1 ? "PASS" : "MISS"}  first attach() of a thread: ${attaching.toFixed(2)} ms, below 1`);

const lines = Object.fromEntries(
  Object.entries(best).map(([task, rates]) => [
    task,
    Array.from({ length: THREADS }, (_, i) => rates[`shared ${i + 1}`] / rates["local 1"]),
  ]),
);
const file = new URL("../results/threads.svg", import.meta.url);
mkdirSync(new URL(".", file), { recursive: true });
writeFileSync(file, plot(lines, `One shared filter, 1 to ${THREADS} threads, Node ${process.versions.node}`));
console.log(`\n${fileURLToPath(file)}`);
