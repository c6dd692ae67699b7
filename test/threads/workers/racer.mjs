// One of several threads that add to one tiny filter at the same moment, round after round.
import { parentPort, workerData } from "node:worker_threads";
import { BloomFilter } from "../../../dist/index.js";
import { meet } from "./gate.mjs";
import { racingKeys, ways } from "./racing-keys.mjs";

const { handle, linesAt, gate, threads, thread, rounds, race } = workerData;
const filter = BloomFilter.attach(handle);
const results = [];
for (const round of rounds) {
  const keys = racingKeys(race, round, thread);
  const add = race.control ? plainly(keys) : () => ways[race.way].add(filter, keys);
  if (thread === 0) filter.clear();
  meet(gate, threads);
  add();
  meet(gate, threads);
  if (thread === 0) results.push({ round, bytes: filter.toBytes(), count: filter.count });
}
parentPort.postMessage(results);

/** The control: the same bits of the same keys in the same memory, set without atomics. */
function plainly(keys) {
  const words = new Int32Array(handle.memory.buffer, linesAt, filter.byteLength / 4);
  const { capacity, lines, hashes } = filter;
  const single = new BloomFilter({ capacity, bitsPerKey: (lines * 512) / capacity, hashes });
  const sets = keys.map((key) => {
    single.clear();
    single.add(key);
    const bits = new Int32Array(single.toBytes().buffer, 64);
    return Array.from(bits.keys())
      .filter((i) => bits[i] !== 0)
      .map((i) => [i, bits[i]]);
  });
  return () => {
    for (const set of sets) for (const [i, bits] of set) words[i] |= bits;
  };
}
