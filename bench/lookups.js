// node bench/lookups.js: what a lookup takes in each kind of filter, one by one and in batches, beside BloomFilter's, in
// filters of a million integers at 1 %: the columns of speed in docs/CHOOSING.md. Each kind runs in its own process, rounds
// go through all of them in turn, and the best of a kind's samples counts. About a minute.
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import {
  AgingBloomFilter,
  BloomFilter,
  BloomierMap,
  ClassicBloomFilter,
  CompactApproximator,
  CountingBloomFilter,
  CuckooFilter,
  FilterBank,
  FuseFilter,
  GolombSet,
  PartitionedBloomFilter,
  QuotientFilter,
  RotatingFilter,
  ScalableBloomFilter,
  StableBloomFilter,
  TieredFilter,
} from "../dist/index.js";
import { timePasses } from "./timing.js";

const capacity = 1_000_000;
const members = Uint32Array.from({ length: capacity }, (_, i) => i);
/** Half are members, in no order that the processor could learn. */
const asked = Uint32Array.from({ length: 200_000 }, (_, i) => (Math.imul(i, 2_654_435_761) >>> 0) % (2 * capacity));

function filled(filter) {
  filter.addMany(members);
  return filter;
}

function approximator() {
  const filter = new CompactApproximator({ capacity });
  for (const key of members) filter.put(key, 1);
  return filter;
}

function bank() {
  const filter = new FilterBank({ filters: 100, capacity: capacity / 100 });
  for (let i = 0; i < 100; i++) filter.addMany(i, members.subarray((i * capacity) / 100, ((i + 1) * capacity) / 100));
  return filter;
}

const options = { capacity, errorRate: 0.01 };
const kinds = {
  BloomFilter: () => filled(new BloomFilter(options)),
  ClassicBloomFilter: () => filled(new ClassicBloomFilter(options)),
  PartitionedBloomFilter: () => filled(new PartitionedBloomFilter(options)),
  CountingBloomFilter: () => filled(new CountingBloomFilter(options)),
  CuckooFilter: () => filled(new CuckooFilter(options)),
  QuotientFilter: () => filled(new QuotientFilter(options)),
  ScalableBloomFilter: () => filled(new ScalableBloomFilter({ capacity: 1000 })),
  RotatingFilter: () => filled(new RotatingFilter({ ...options, keys: () => members, threshold: 1 })),
  AgingBloomFilter: () => filled(new AgingBloomFilter(options)),
  StableBloomFilter: () => filled(new StableBloomFilter(options)),
  TieredFilter: () => filled(new TieredFilter({ hot: { capacity: capacity / 100 }, cold: options })),
  FuseFilter: () => FuseFilter.from(members),
  GolombSet: () => GolombSet.from(members),
  BloomierMap: () =>
    BloomierMap.from(
      Array.from(members, (key) => [key, key & 255]),
      { valueBits: 8 },
    ),
  CompactApproximator: approximator,
  "FilterBank of 100": bank,
};

/** Times one kind, in this process. */
function measure(kind) {
  const filter = kinds[kind]();
  let found = 0;
  const single = () => {
    for (let i = 0; i < asked.length; i++) if (filter.has(asked[i])) found++;
  };
  const batched = () => {
    found += filter.hasMany(asked)[0];
  };
  const passes = [
    { name: "single", pass: single },
    { name: "batched", pass: batched },
  ];
  const { samples } = timePasses({ iterations: 15, warmups: 5 }, asked.length, passes);
  return { samples, found };
}

function compare(rounds) {
  const best = Object.fromEntries(Object.keys(kinds).map((kind) => [kind, { single: Infinity, batched: Infinity }]));
  for (let round = 0; round < rounds; round++) {
    for (const [kind, times] of Object.entries(best)) {
      const { samples } = JSON.parse(execFileSync(process.execPath, [fileURLToPath(import.meta.url), kind]));
      for (const way of Object.keys(times)) times[way] = Math.min(times[way], ...samples[way]);
    }
  }
  const { BloomFilter: ours } = best;
  const row = ({ single, batched }) => ({
    "single, ns": Math.round(single),
    "× BloomFilter": (single / ours.single).toFixed(1),
    "batched, ns": Math.round(batched),
    "× BloomFilter, batched": (batched / ours.batched).toFixed(1),
  });
  console.table(Object.fromEntries(Object.entries(best).map(([kind, times]) => [kind, row(times)])));
}

const [kind] = process.argv.slice(2);
if (kind) console.log(JSON.stringify(measure(kind)));
else compare(2);
