// Asks for keys that another thread has said are in, and counts those that are not there.
import { parentPort, workerData } from "node:worker_threads";
import { BloomFilter } from "../../../dist/index.js";

const { handle, added, checked, questions, single } = workerData;
const filter = BloomFilter.attach(handle, { readonly: true });
let absent = 0;
for (let asked = 0; asked < questions; ) {
  const known = Atomics.load(added, 0);
  if (known === 0) continue;
  // The newest, where a race would show, and a few older ones.
  const keys = Array.from({ length: 256 }, (_, i) => (i < 128 ? Math.max(0, known - 1 - i) : (i * 7919) % known));
  if (single) for (const key of keys) absent += filter.has(String(key)) ? 0 : 1;
  else for (const answer of filter.hasMany(keys)) absent += 1 - answer;
  asked += keys.length;
  Atomics.add(checked, 0, keys.length);
}
parentPort.postMessage({ absent });
