// node bench/kinds.js [rounds]: kinds of filters beside the same kinds elsewhere, and beside BloomFilter. Each subject runs
// in its own process, rounds go through all of them in turn, and the best of a subject's samples counts.
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const rounds = Number(process.argv[2] ?? 3);
const measure = fileURLToPath(new URL("measure.js", import.meta.url));
const task = {
  keys: { kind: "latin", length: 30 },
  capacity: 1_000_000,
  errorRate: 0.01,
  sample: 1_000_000,
  iterations: 3,
  warmups: 1,
};

const subjects = [
  { adapter: "bloomline" },
  { adapter: "classic" },
  { adapter: "classic", batched: true },
  { adapter: "partitioned" },
  { adapter: "scalable" },
  { adapter: "bloomfilter" },
  { adapter: "bloom-filters" },
  { adapter: "bloom-filters-partitioned" },
  { adapter: "bloom-filters-scalable" },
];
const label = ({ adapter, batched }) => (batched ? `${adapter}, batched` : adapter);

/** One of ours at least so many times as fast as another, in these passes. */
const goals = [
  { ours: "classic", other: "bloom-filters", times: 30, passes: ["add", "hit", "miss"] },
  { ours: "partitioned", other: "bloom-filters-partitioned", times: 30, passes: ["add", "hit", "miss"] },
  { ours: "scalable", other: "bloom-filters-scalable", times: 30, passes: ["add", "hit", "miss"] },
  { ours: "classic", other: "bloomfilter", times: 1.15, passes: ["add", "hit", "miss"] },
  { ours: "classic, batched", other: "bloomfilter", times: 2.2, passes: ["add", "hit", "miss"] },
  { ours: "classic", other: "bloomline", times: 0.5, passes: ["hit", "miss"] },
  { ours: "partitioned", other: "bloomline", times: 0.5, passes: ["hit", "miss"] },
];

const best = new Map(subjects.map((subject) => [label(subject), { add: Infinity, hit: Infinity, miss: Infinity }]));
let starved = 0;
for (let round = 1; round <= rounds; round++) {
  for (const subject of subjects) {
    const output = execFileSync(process.execPath, [measure, JSON.stringify({ ...task, ...subject })]);
    const { samples, cpuShare } = JSON.parse(output);
    const times = best.get(label(subject));
    for (const pass of Object.keys(times)) times[pass] = Math.min(times[pass], ...samples[pass]);
    if (cpuShare < 0.9) starved++;
    console.error(`round ${round} of ${rounds}: ${label(subject)}, ${(cpuShare * 100).toFixed(0)} % of a core`);
  }
}

console.log("ns a key, the best of all rounds");
console.table(
  Object.fromEntries(
    [...best].map(([name, times]) => [
      name,
      Object.fromEntries(Object.entries(times).map(([pass, ns]) => [pass, Math.round(ns)])),
    ]),
  ),
);
for (const { ours, other, times, passes } of goals) {
  for (const pass of passes) {
    const ratio = best.get(other)[pass] / best.get(ours)[pass];
    console.log(
      `${ratio >= times ? "PASS" : "MISS"}  ${ours} / ${other}, ${pass}: ${ratio.toFixed(2)} times, wanted ${times}`,
    );
  }
}
if (starved > 0) {
  console.log(
    `${starved} of ${rounds * subjects.length} processes had less than 0.9 of a core: run it again on a quiet machine.`,
  );
}
