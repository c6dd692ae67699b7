// The memory probe in its own process. Argument: a task as JSON. Prints its samples.
import { readFileSync } from "node:fs";
import { Bench } from "tinybench";
import { PROBE_FILE } from "./probe.js";

const PAGE = 65536;
const LINE = 64;
const task = JSON.parse(process.argv[2]);

const memory = new WebAssembly.Memory({ initial: task.bytes / PAGE, maximum: task.bytes / PAGE });
// Pages never written to are all one page of zeros, and that one is always cached.
new Uint8Array(memory.buffer).fill(1);
const { instance } = await WebAssembly.instantiate(readFileSync(PROBE_FILE), { env: { memory } });
const { probe } = instance.exports;

let seed = 1;
const bench = new Bench({
  time: 0,
  iterations: task.iterations,
  warmupTime: 0,
  warmupIterations: task.warmups,
  retainSamples: true,
});
bench.add("hit", () => probe(task.bytes / LINE, task.sample, seed++));
bench.runSync();
const [{ result }] = bench.tasks;
if (result.error) throw result.error;
const samples = { hit: result.latency.samples.map((ms) => (ms * 1e6) / task.sample) };
console.log(JSON.stringify({ samples, bytes: task.bytes }));
