// Lookups in Guava's and RedisBloom's filters beside ClassicBloomFilter of the same bits and hashes: at most 1.5 times as
// long. Processes take turns, and the median of the rounds' ratios counts.
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const ROUNDS = 5;
const GOAL = 1.5;
const subject = fileURLToPath(new URL("subject.js", import.meta.url));
const sizes = [
  { name: "1.2 MB", bits: 9_585_088, hashes: 7, keys: 1_000_000 },
  { name: "100 MB", bits: 800_000_000, hashes: 7, keys: 4_000_000 },
];

function measure(name, { bits, hashes, keys }) {
  return JSON.parse(execFileSync(process.execPath, [subject, name, bits, hashes, keys], { encoding: "utf8" }));
}

function median(list) {
  return list.toSorted((a, b) => a - b)[list.length >> 1];
}

for (const size of sizes) {
  console.log(`\n${size.name}, k = ${size.hashes}, strings of 40 characters; ns a key`);
  const rounds = [];
  for (let i = 0; i < ROUNDS; i++) {
    rounds.push({ classic: measure("classic", size), guava: measure("guava", size), redis: measure("redis", size) });
  }
  for (const name of ["guava", "redis"]) {
    for (const task of Object.keys(rounds[0].classic)) {
      const ratio = median(rounds.map((round) => round[name][task] / round.classic[task]));
      const ns = (which) => median(rounds.map((round) => round[which][task])).toFixed(1);
      const verdict = ratio <= GOAL ? "PASS" : "MISS";
      console.log(
        `${verdict}  ${name.padEnd(6)} ${task.padEnd(16)} ${ns(name)} against ${ns("classic")}: ${ratio.toFixed(2)} times, at most ${GOAL}`,
      );
    }
  }
}
