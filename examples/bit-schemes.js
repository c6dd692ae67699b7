// How a key's positions in its line are derived decides whether the formula holds: node examples/bit-schemes.js [keys]
// docs/MATHS.md tells the story. The rejected schemes are simulated on ideal hashes; bloomline's is bloomline itself.
import { BloomFilter, errorRateAt } from "bloomline";

const KEYS = Number(process.argv[2] ?? 1_000_000);
const QUERIES = 10 * KEYS;

/** An ideal hash: 32 fresh bits at each call (sfc32, Chris Doty-Humphrey). */
function randomBits() {
  let [a, b, c, d] = [0x9e3779b9, 0x243f6a88, 0xb7e15162, 1];
  return () => {
    const next = (((a + b) | 0) + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11) | 0) + next) | 0;
    return next >>> 0;
  };
}

/** Each takes two halves of a 64-bit hash and fills `positions`. */
const rejected = {
  "double hashing, a + i·b mod 512"(high, low, positions) {
    for (let i = 0; i < positions.length; i++) positions[i] = (high + i * low) & 511;
  },
  "enhanced double hashing mod 512"(high, low, positions) {
    let [a, b] = [high & 511, low & 511];
    for (let i = 0; i < positions.length; i++) {
      positions[i] = a;
      a = (a + b) & 511;
      b = (b + i) & 511;
    }
  },
};

/** The measured rate where every key takes its line from one hash and its positions, by `scheme`, from another. */
function simulate(scheme, lines, hashes) {
  const random = randomBits();
  const words = new Uint32Array(lines * 16);
  const positions = new Uint16Array(hashes);
  const probe = () => {
    const line = Math.floor((random() / 2 ** 32) * lines) * 16;
    scheme(random(), random(), positions);
    return line;
  };
  for (let n = 0; n < KEYS; n++) {
    const line = probe();
    for (const position of positions) words[line + (position >>> 5)] |= 1 << (position & 31);
  }
  let yes = 0;
  for (let n = 0; n < QUERIES; n++) {
    const line = probe();
    yes += positions.every((position) => (words[line + (position >>> 5)] >>> (position & 31)) & 1) ? 1 : 0;
  }
  return yes / QUERIES;
}

function measureBloomline(filter) {
  const integers = (from, count) => BigUint64Array.from({ length: count }, (_, i) => BigInt(from + i));
  filter.addMany(integers(0, KEYS));
  let yes = 0;
  for (let from = KEYS; from < KEYS + QUERIES; from += KEYS) {
    for (const answer of filter.hasMany(integers(from, KEYS))) yes += answer;
  }
  return yes / QUERIES;
}

for (const [bitsPerKey, hashes] of [
  [10, 6],
  [16, 9],
]) {
  const filter = new BloomFilter({ capacity: KEYS, bitsPerKey, hashes });
  const theory = errorRateAt(KEYS, filter.lines, hashes);
  const show = (name, rate) =>
    console.log(`  ${name.padEnd(34)}${(rate * 100).toFixed(4)} %  ${(rate / theory).toFixed(2)} × theory`);
  console.log(`${bitsPerKey} bits a key, k = ${hashes}`);
  show("theory", theory);
  show("bloomline", measureBloomline(filter));
  for (const [name, scheme] of Object.entries(rejected)) show(name, simulate(scheme, filter.lines, hashes));
}
