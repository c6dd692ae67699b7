// node bench/deleting/run.js [--quick]: the deleting filters beside those of bloom-filters, and their lookups beside
// BloomFilter's. Rounds are interleaved, so that a busy machine slows all alike; ratios are of medians.
import bloomFilters from "bloom-filters";
import { BloomFilter, CountingBloomFilter, CuckooFilter, QuotientFilter } from "../../dist/index.js";
import { makeKeys } from "../keys.js";

const quick = process.argv.includes("--quick");
const KEYS = quick ? 100_000 : 1_000_000;
const ROUNDS = quick ? 3 : 7;
/** At 10 to 50 µs a key a full pass of the rival takes most of a minute. */
const RIVAL_KEYS = 5_000;

const members = makeKeys({ kind: "latin", length: 30 }, 0, KEYS);
const strangers = makeKeys({ kind: "latin", length: 30 }, KEYS, KEYS);

function nsPerKey(keys, pass) {
  const start = process.hrtime.bigint();
  pass(keys);
  return Number(process.hrtime.bigint() - start) / keys.length;
}

const median = (samples) => [...samples].sort((a, b) => a - b)[samples.length >> 1];

function measure(create, keys) {
  const sample = members.slice(0, keys);
  const other = strangers.slice(0, keys);
  let found = 0;
  const filter = create();
  const times = {
    add: nsPerKey(sample, (all) => {
      for (const key of all) filter.add(key);
    }),
    hit: nsPerKey(sample, (all) => {
      for (const key of all) found += filter.has(key) ? 1 : 0;
    }),
    miss: nsPerKey(other, (all) => {
      for (const key of all) found += filter.has(key) ? 1 : 0;
    }),
  };
  filter.dispose?.();
  return { times, found };
}

const size = { capacity: KEYS, errorRate: 0.01 };
let missed = false;

function verdict(name, ratio, goal, better) {
  const ok = better === "at least" ? ratio >= goal : ratio <= goal;
  missed ||= !ok;
  console.log(`${ok ? "PASS" : "MISS"}  ${name}: ${ratio.toFixed(2)} x, ${better} ${goal} x`);
}

const rivals = [
  {
    name: "CountingBloomFilter",
    ours: () => new CountingBloomFilter(size),
    theirs: () => bloomFilters.CountingBloomFilter.create(KEYS, 0.01),
  },
  {
    name: "CuckooFilter",
    ours: () => new CuckooFilter(size),
    theirs: () => bloomFilters.CuckooFilter.create(KEYS, 0.01),
  },
];

console.log(`${KEYS} strings of 30 characters at 1 %, against bloom-filters, ${ROUNDS} rounds`);
for (const rival of rivals) {
  const samples = { ours: [], theirs: [] };
  for (let round = 0; round < ROUNDS; round++) {
    samples.ours.push(measure(rival.ours, KEYS).times);
    samples.theirs.push(measure(rival.theirs, RIVAL_KEYS).times);
  }
  for (const what of ["add", "hit", "miss"]) {
    const [we, they] = [samples.ours, samples.theirs].map((all) => median(all.map((times) => times[what])));
    verdict(`${rival.name} ${what}, ${we.toFixed(0)} against ${they.toFixed(0)} ns`, they / we, 30, "at least");
  }
}

/** Filters of about 1 MiB, each with the keys that fill it. */
const MEBIBYTE = 8 * 2 ** 20;
const subjects = [
  { name: "BloomFilter", type: BloomFilter, bitsPerKey: 9.98 },
  { name: "CountingBloomFilter", type: CountingBloomFilter, bitsPerKey: 43.7 },
  { name: "CuckooFilter", type: CuckooFilter, bitsPerKey: 12.64 },
  { name: "QuotientFilter", type: QuotientFilter, bitsPerKey: 11.77, isFree: true },
].map((subject) => {
  const capacity = Math.min(KEYS, Math.floor(MEBIBYTE / subject.bitsPerKey));
  const filter = new subject.type({ capacity, errorRate: 0.01 });
  filter.addMany(members.slice(0, capacity));
  return { ...subject, filter, samples: { hit: [], miss: [] } };
});

console.log(`\nsingle lookups of strings in filters of 1 MiB, beside BloomFilter's, ${3 * ROUNDS} rounds`);
const ASKED = Math.min(100_000, KEYS);
// The sink of all answers, so that none is optimised away.
let yes = 0;
for (let round = 0; round < 3 * ROUNDS; round++) {
  for (const { filter, samples } of subjects) {
    const there = members.slice(0, Math.min(ASKED, filter.capacity));
    const ask = (keys) => {
      for (const key of keys) yes += filter.has(key) ? 1 : 0;
    };
    samples.hit.push(nsPerKey(there, ask));
    samples.miss.push(nsPerKey(strangers.slice(0, ASKED), ask));
  }
}
const [bloom, ...others] = subjects;
for (const { name, samples, filter, isFree } of others) {
  for (const what of ["hit", "miss"]) {
    const [we, base] = [samples[what], bloom.samples[what]].map(median);
    const line = `${name} ${what}, ${we.toFixed(0)} against ${base.toFixed(0)} ns`;
    if (isFree) console.log(`      ${line}: ${(we / base).toFixed(2)} x, no goal`);
    else verdict(line, we / base, 2, "at most");
  }
  console.log(`      ${name}: ${filter.bitsPerKey.toFixed(2)} bits a key at ${filter.currentErrorRate.toPrecision(3)}`);
}
console.log(`      (${yes} answers were yes)`);
if (missed) process.exitCode = 1;
