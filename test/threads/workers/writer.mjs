// Adds blocks of integers and tells, after each, how many are in; until `stop` is set or the blocks are used up.
import { parentPort, workerData } from "node:worker_threads";
import { BloomFilter } from "../../../dist/index.js";

const { handle, added, stop, first = 0, block, blocks, single = false } = workerData;
const filter = BloomFilter.attach(handle);
for (let i = 0; i < blocks && Atomics.load(stop, 0) === 0; i++) {
  const keys = Float64Array.from({ length: block }, (_, j) => first + i * block + j);
  if (single) for (const key of keys) filter.add(String(key));
  else filter.addMany(keys);
  Atomics.store(added, 0, (i + 1) * block);
}
parentPort.postMessage("done");
