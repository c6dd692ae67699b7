// One shared filter and 1 to n threads, beside one thread on a local filter: node bench/threads/run.js [rounds] [threads]
// Rounds are interleaved, and the best of each counts: the machine's other work only ever takes away. The median tells
// how much it took.
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { BloomFilter } from "../../dist/index.js";
import { plot } from "./plot.js";
import { fill, optionsFor, purposeOf, startsEmpty, tasks } from "./tasks.js";

const ROUNDS = Number(process.argv[2] ?? 20);
const THREADS = Number(process.argv[3] ?? availableParallelism());
/** Threads that are started to time their first attach(). */
const STARTS = 50;

const worker = (name, workerData) => new Worker(new URL(name, import.meta.url), { workerData });
const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];

const shared = {};
for (const [purpose, options] of Object.entries(optionsFor)) {
  shared[purpose] = new BloomFilter({ ...options, shared: true });
}
fill(shared.asking);
const handles = { asking: shared.asking.share(), adding: shared.adding.share() };

/** The threads of each setting are its own, so that what one has learnt to do fast does not depend on the others. */
const settings = [
  { where: "local", threads: 1 },
  ...Array.from({ length: THREADS }, (_, i) => ({ where: "shared", threads: i + 1 })),
].map(({ where, threads }) => {
  const gate = new Int32Array(new SharedArrayBuffer(4));
  const workers = Array.from({ length: threads }, (_, thread) => worker("./worker.js", { handles, thread, gate }));
  return { name: `${where} ${threads}`, where, threads, round: 0, workers };
});

/** Operations a millisecond, all threads together, from the first start to the last end. */
async function throughput(task, setting) {
  const { where, threads, workers } = setting;
  setting.round++;
  if (startsEmpty(task)) shared[purposeOf(task)].clear();
  for (const worker of workers) worker.postMessage({ task, where, threads, round: setting.round });
  const runs = (await Promise.all(workers.map((worker) => once(worker, "message")))).map(([run]) => run);
  const operations = runs.reduce((sum, run) => sum + run.operations, 0);
  return operations / (Math.max(...runs.map((run) => run.ended)) - Math.min(...runs.map((run) => run.began)));
}

const best = {};
const middle = {};
for (const task of Object.keys(tasks)) {
  const rates = Object.fromEntries(settings.map(({ name }) => [name, []]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const setting of settings) rates[setting.name].push(await throughput(task, setting));
  }
  const each = (summary) => Object.fromEntries(Object.entries(rates).map(([name, all]) => [name, summary(all)]));
  best[task] = each((all) => Math.max(...all));
  middle[task] = each(median);
  const millions = (rate) => (rate / 1000).toFixed(1);
  const shown = settings.map(({ name }) => `${name}: ${millions(best[task][name])} / ${millions(middle[task][name])}`);
  console.log(`${task.padEnd(42)}${shown.join("   ")}   million a second, best / median`);
}

for (const { workers } of settings) for (const worker of workers) await worker.terminate();

/** Milliseconds, in threads that are new. */
const starts = [];
for (let i = 0; i < STARTS; i++) {
  const starting = worker("./attaching.js", handles.asking);
  starts.push((await once(starting, "message"))[0]);
  await starting.terminate();
}
const [first, answer, later] = ["first", "answer", "later"].map((what) => median(starts.map((start) => start[what])));

/** What a shared filter must reach, by the best of each; the same by the medians, to be seen. */
function goal(task, what, [one, other], least) {
  const ratio = best[task][one] / best[task][other];
  const usual = middle[task][one] / middle[task][other];
  const verdict = ratio >= least ? "PASS" : "MISS";
  console.log(`${verdict}  ${what}, ${task}: ${ratio.toFixed(2)} (medians ${usual.toFixed(2)}), at least ${least}`);
}
const [integers, batches, singles, adds] = Object.keys(tasks);
console.log();
if (THREADS >= 2) {
  const both = ["shared 2", "shared 1"];
  for (const task of [integers, batches]) goal(task, "two threads against one", both, 1.75);
  goal(adds, "two threads against one", both, 1.4);
}
const sides = ["shared 1", "local 1"];
for (const task of [integers, batches]) goal(task, "shared against local, one thread", sides, 0.9);
goal(singles, "shared against local, one thread", sides, 0.8);

const ms = (value) => `${value.toFixed(2)} ms`;
console.log(
  `${first < 1 ? "PASS" : "MISS"}  first attach() of a thread: ${ms(first)}, below 1 (median of ${STARTS} threads); ` +
    `its first answer: ${ms(answer)}; a later attach(): ${ms(later)}`,
);

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
