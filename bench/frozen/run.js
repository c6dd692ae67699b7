// npm ci --prefix bench/frozen && npm start --prefix bench/frozen: the goals of the frozen family, on the built package.
// About two minutes and 2 GB.
import { createRequire } from "node:module";
import { BloomFilter, FilterBank, FuseFilter, GolombSet } from "../../dist/index.js";
import { finish, judge, sideBySide } from "./timing.js";

const require = createRequire(import.meta.url);
const { populateBinaryFuse8 } = require("binary-fuse-filter");
const { XorFilter } = require("bloom-filters");

const MILLION = 1_000_000;
const url = (i) => `https://example.com/item/${i}`;
const urls = (n, from = 0) => Array.from({ length: n }, (_, i) => url(from + i));
const keys = urls(MILLION);
const strangers = urls(MILLION, 10 * MILLION);

function sizes() {
  const bits = (filter, n) => (filter.toBytes().length * 8) / n;
  judge("FuseFilter8, 1M keys", bits(FuseFilter.from(keys), MILLION), 9.1, { unit: "bits a key" });
  judge("GolombSet at 1/512, 1M keys", bits(GolombSet.from(keys, { errorRate: 1 / 512 }), MILLION), 11.1, {
    unit: "bits a key",
  });
}

function building() {
  const lists = Array.from({ length: 8 }, (_, i) => urls(MILLION, i * MILLION));
  const { fuse, bloom } = sideBySide(
    {
      fuse: () => FuseFilter.from(keys),
      bloom() {
        const filter = new BloomFilter({ capacity: 8 * MILLION });
        for (const list of lists) filter.addMany(list);
      },
    },
    3,
  );
  console.log(`      FuseFilter, 1M strings: ${(fuse / 1e6).toFixed(0)} ms`);
  judge("FuseFilter of 1M strings against BloomFilter of 8M", fuse / bloom, 1);

  const few = keys.slice(0, 2000);
  const { xor, ours } = sideBySide({ xor: () => XorFilter.create(few, 8), ours: () => FuseFilter.from(few) }, 5);
  judge("FuseFilter built, against bloom-filters XorFilter, 2,000 strings", xor / ours, 100, { atLeast: true });

  const integers = BigUint64Array.from({ length: MILLION }, (_, i) => BigInt(i) * 0x9e3779b97f4a7n);
  const { rival, mine } = sideBySide(
    {
      rival() {
        const [, error] = populateBinaryFuse8(integers);
        if (error) throw error;
      },
      mine: () => FuseFilter.from(integers),
    },
    3,
  );
  judge("FuseFilter built, against binary-fuse-filter, 1M bigints", rival / mine, 3, { atLeast: true });
}

function asking() {
  const bloom = BloomFilter.from(keys, { errorRate: 1 / 256 });
  const fuse = FuseFilter.from(keys);
  const golomb = GolombSet.from(keys, { errorRate: 1 / 512 });
  const all = (filter, list) => () => {
    for (let i = 0; i < 200_000; i++) filter.has(list[i]);
  };
  for (const [name, list] of Object.entries({ hits: keys, misses: strangers })) {
    const times = sideBySide({ bloom: all(bloom, list), fuse: all(fuse, list), golomb: all(golomb, list) });
    console.log(`      BloomFilter, one by one, ${name}: ${(times.bloom / 200_000).toFixed(0)} ns`);
    judge(`FuseFilter against BloomFilter, one by one, ${name}`, times.fuse / times.bloom, 1.5);
    judge(`GolombSet against BloomFilter, one by one, ${name}`, times.golomb / times.bloom, 12);
  }
}

/** A filter of 256 MiB; what is in it decides no time, so nothing is. */
function largeFuse() {
  const bytes = Buffer.from(FuseFilter.from([1]).toBytes());
  const segment = 2 ** 18;
  const slots = 1024 * segment;
  const large = new Uint8Array(64 + slots);
  large.set(bytes.subarray(0, 64));
  const view = new DataView(large.buffer);
  view.setUint32(8, slots / 64, true);
  view.setUint8(12, 18);
  view.setUint8(14, 0);
  view.setUint32(56, slots - 2 * segment, true);
  const empty = FuseFilter.from([]);
  // h1 of the lines under seed 0, which a filter of seed 0 computes for any key.
  view.setBigUint64(48, empty.hash(large.subarray(64)).h1, true);
  let sum = 0x811c9dc5;
  for (let i = 0; i < 60; i++) sum = Math.imul(sum ^ large[i], 0x01000193);
  view.setUint32(60, sum >>> 0, true);
  return FuseFilter.fromBytes(large);
}

/** A lookup is three misses: one by one they overlap among themselves, in a batch until the processor can wait for no more. */
function batches() {
  const filter = largeFuse();
  const n = 500_000;
  const out = new Uint8Array(n);
  for (const [name, list] of Object.entries({
    strings: urls(n),
    integers: Uint32Array.from({ length: n }, (_, i) => i * 7_919),
  })) {
    const { single, batched } = sideBySide({
      single() {
        for (let i = 0; i < n; i++) filter.has(list[i]);
      },
      batched: () => filter.hasMany(list, out),
    });
    console.log(
      `      256 MiB, ${name}: ${(single / n).toFixed(0)} ns one by one, ${(batched / n).toFixed(0)} batched`,
    );
    judge(`FuseFilter of 256 MiB, ${name}, one by one against batched`, single / batched, 2.5, { atLeast: true });
  }
}

function banks() {
  const geometry = { capacity: 10_000, errorRate: 0.01 };
  const bank = new FilterBank({ filters: 1000, ...geometry });
  const filters = Array.from({ length: 1000 }, (_, i) => {
    const list = Uint32Array.from({ length: 10_000 }, (_, j) => i * 10_000 + j);
    bank.addMany(i, list);
    return BloomFilter.from(list, geometry);
  });
  const asked = 500;
  const { one, many } = sideBySide({
    one() {
      for (let i = 0; i < asked; i++) bank.which(i * 20_011);
    },
    many() {
      for (let i = 0; i < asked; i++) {
        const hash = bank.hash(i * 20_011);
        const found = [];
        for (let j = 0; j < 1000; j++) if (filters[j].hasHash(hash)) found.push(j);
      }
    },
  });
  console.log(
    `      which over 1,000 filters: ${(one / asked / 1000).toFixed(2)} µs; 1,000 hasHash: ${(many / asked / 1000).toFixed(1)} µs`,
  );
  judge("FilterBank.which against 1,000 hasHash calls", many / one, 8, { atLeast: true });
}

for (const part of [sizes, building, asking, batches, banks]) part();
finish();
