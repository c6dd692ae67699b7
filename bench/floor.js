// The memory probe in its own process. Argument: a task as JSON. Prints its samples.
import { readFileSync } from "node:fs";
import { PROBE_FILE } from "./probe.js";
import { timePasses } from "./timing.js";

const PAGE = 65536;
const LINE = 64;
const task = JSON.parse(process.argv[2]);

const memory = new WebAssembly.Memory({ initial: task.bytes / PAGE, maximum: task.bytes / PAGE });
// Pages never written to are all one page of zeros, and that one is always cached.
new Uint8Array(memory.buffer).fill(1);
const { instance } = await WebAssembly.instantiate(readFileSync(PROBE_FILE), { env: { memory } });
const { probe } = instance.exports;

let seed = 1;
const pass = () => probe(task.bytes / LINE, task.sample, seed++);
console.log(JSON.stringify({ ...timePasses(task, task.sample, [{ name: "hit", pass }]), bytes: task.bytes }));
