// Adds one batch after another, until it is ended or has added `blocks` of them.
import { readlinkSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import { BloomFilter } from "../../../dist/filters/bloom-filter.js";

const { handle, begun, blocks } = workerData;
const filter = BloomFilter.attach(handle);
const keys = Uint32Array.from({ length: 20_000 }, (_, i) => i);
for (let i = 0; i < blocks; i++) {
  filter.addMany(keys);
  Atomics.add(begun, 0, 1);
}
parentPort.postMessage(process.platform === "linux" ? Number(readlinkSync("/proc/thread-self").split("/").pop()) : -1);
