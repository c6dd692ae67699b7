// One filter in a process of its own: node subject.js <guava|redis|classic> <bits> <hashes> <keys>; prints ns a key as JSON.
import { ClassicBloomFilter } from "../../dist/index.js";
import { funnels, GuavaBloomFilter, RedisBloomDump } from "../../dist/interop/index.js";

const [name, ...numbers] = process.argv.slice(2);
const [bits, hashes, keys] = numbers.map(Number);

/** An empty filter of exactly so many bits and hashes, made of the bytes of one. */
const make = {
  guava() {
    const bytes = Buffer.alloc(6 + bits / 8);
    bytes.set([1, hashes]);
    bytes.writeInt32BE(bits / 64, 2);
    return GuavaBloomFilter.fromBytes(bytes, funnels.string);
  },
  redis() {
    const header = Buffer.alloc(73);
    header.writeUInt32LE(1, 8);
    header.writeUInt32LE(13, 12);
    header.writeUInt32LE(2, 16);
    header.writeBigUInt64LE(BigInt(bits / 8), 20);
    header.writeBigUInt64LE(BigInt(bits), 28);
    header.writeDoubleLE(2 ** -hashes, 44);
    header.writeDoubleLE((hashes - 0.5) / Math.LN2, 52);
    header.writeUInt32LE(hashes, 60);
    header.writeBigUInt64LE(BigInt(keys), 64);
    return RedisBloomDump.fromBytes(Buffer.concat([header, Buffer.alloc(bits / 8)]));
  },
  classic: () => new ClassicBloomFilter({ bits, hashes }),
};

const filter = make[name]();
const PART = 100_000;
const known = (from) => Array.from({ length: PART }, (_, i) => `https://example.com/item/${from + i}`.padEnd(40, "#"));
for (let from = 0; from < keys; from += PART) filter.addMany(known(from));

const hits = known(0);
const misses = hits.map((key) => key.replace("item", "none"));

/** Passes shorter than a thread's turn, and of their times the lowest tenth: a busy machine adds to some, not to all. */
const PASS = 2000;

function nsOf(pass) {
  const times = [];
  for (let round = 0; round < 10; round++) {
    for (let from = 0; from < PART; from += PASS) {
      const start = process.hrtime.bigint();
      pass(from);
      times.push(Number(process.hrtime.bigint() - start) / PASS);
    }
  }
  return times.sort((a, b) => a - b)[Math.floor(times.length / 10)];
}

const oneByOne = (list, expected) => (from) => {
  let yes = 0;
  for (let i = from; i < from + PASS; i++) if (filter.has(list[i])) yes++;
  if (yes < expected) throw new Error("A key was not found.");
};
const out = new Uint8Array(PASS);
const many = (list) => {
  const parts = Array.from({ length: PART / PASS }, (_, i) => list.slice(i * PASS, (i + 1) * PASS));
  return (from) => filter.hasMany(parts[from / PASS], out);
};

const result = {
  "has, hits": nsOf(oneByOne(hits, PASS)),
  "has, misses": nsOf(oneByOne(misses, 0)),
  "hasMany, hits": nsOf(many(hits)),
  "hasMany, misses": nsOf(many(misses)),
};
console.log(JSON.stringify(result));
