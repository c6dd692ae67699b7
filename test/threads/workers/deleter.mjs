// One of several threads that come and go in one small counting filter, while its residents stay.
import { parentPort, workerData } from "node:worker_threads";
import { deleteHash } from "../../../dist/filters/delete-hash.js";
import { CountingBloomFilter } from "../../../dist/index.js";
import { meet } from "./gate.mjs";

const { handle, gate, threads, thread, rounds, residents, guests, control } = workerData;
const filter = CountingBloomFilter.attach(handle);
const hashes = guests.map((key) => filter.hash(key));
const mine = Array.from({ length: 50 }, (_, i) => `of thread ${thread}: ${i}`);
/** The control goes past the lock. */
const remove = control ? (hash) => deleteHash(filter, hash) : (hash) => filter.deleteHash(hash);

let deleted = 0;
let missed = 0;
for (let round = 0; round < rounds; round++) {
  if (thread === 0) for (const hash of hashes) filter.addHash(hash);
  meet(gate, threads);
  // Every guest is here once, and every thread tries to see it off.
  for (const hash of hashes) if (remove(hash)) deleted++;
  if (!control) {
    filter.addMany(mine);
    for (const key of residents) if (!filter.has(key)) missed++;
    for (const key of mine) if (!filter.delete(key)) missed++;
  }
  meet(gate, threads);
}
parentPort.postMessage({ deleted, missed });
