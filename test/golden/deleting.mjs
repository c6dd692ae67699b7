import { CompactBloomFilter, CountingBloomFilter, CuckooFilter, QuotientFilter } from "bloomline";

const words = ["", "alpha", "beta", "naïve", "布隆過濾器", "🌸", "\ud800"];
const integers = (n) => Array.from({ length: n }, (_, i) => i * i - 50);

/** What is in each golden file: `keys` were added in their order, then the first `deleted` of them were deleted. */
export const goldens = [
  {
    name: "counting.bloom",
    type: CountingBloomFilter,
    options: { capacity: 60, errorRate: 0.01 },
    keys: [...words, ...words, ...integers(60)],
    deleted: 9,
    sha256: "89d27dfbb1caa14ac0b91d254b6b6e7e3ff6f633396f7b005a6700700ab81efa",
  },
  {
    name: "counting-8.bloom",
    type: CountingBloomFilter,
    options: { capacity: 40, errorRate: 1e-4, counterBits: 8, seed: 0xfedcba9876543210n },
    keys: [...words, ...integers(40)],
    deleted: 7,
    sha256: "61461798377baf421afa070e9788f88348eae46cf01920c2e1007ac16334818c",
  },
  {
    name: "compact.bloom",
    type: CompactBloomFilter,
    options: { capacity: 100, errorRate: 0.001, seed: 5 },
    keys: [...words, ...integers(90)],
    deleted: 0,
    sha256: "c7a852a6d4ee42d5277290a5c419bd2376e11ffb36676440d2698dc6d822f3d7",
  },
  {
    name: "compact-64.bloom",
    type: CompactBloomFilter,
    options: { capacity: 50, blockBits: 64 },
    keys: [...words, ...integers(40)],
    deleted: 0,
    sha256: "d25fc7a4069801ed0c90395d2807a5023d32cd763b9999abf3791f84a5681af7",
  },
  ...Object.entries({
    8: "9f6bec3bab07ac1b0b503fd5b0c99cb8b5cb3fa6c2424aafa0b7feaf2207416e",
    12: "e8e014da6ff24c9eb23bf5e0b3554370cffa7b2064dbc94dedce14062907a0a5",
    16: "e53ba9d6d2144ba5a48c0b6442ad5ee3593f5de64dca5e42ee799c2b03b6cde0",
    32: "0c034dd2ea299833db79afaffcc6f895dc60544d1fe6361ed0ebcc5cb18e9b08",
  }).map(([bits, sha256]) => ({
    name: `cuckoo-${bits}.bloom`,
    type: CuckooFilter,
    options: { capacity: 100, fingerprintBits: Number(bits), seed: 42 },
    keys: [...words, ...words, ...integers(95)],
    deleted: 9,
    sha256,
  })),
  {
    name: "quotient.bloom",
    type: QuotientFilter,
    options: { capacity: 100, errorRate: 0.01 },
    keys: [...words, ...words, ...integers(95)],
    deleted: 9,
    sha256: "4fbff5e94956dc4b3b22ad238b73a66d8a4bd1065506fdc4feb69db62cb06221",
  },
  {
    name: "quotient-32.bloom",
    type: QuotientFilter,
    options: { capacity: 20, remainderBits: 32, seed: 0xfedcba9876543210n },
    keys: [...words, ...integers(13)],
    deleted: 3,
    sha256: "049b19f31b1875e150f4dd7ed78d764892506c07e37dcf3dad910d196b34643b",
  },
];

/** The filter of a golden file, made anew. */
export function filterOf({ type, options, keys, deleted }, engine = {}) {
  const filter = new type({ ...options, ...engine });
  for (const key of keys) filter.add(key);
  for (const key of keys.slice(0, deleted)) filter.delete(key);
  return filter;
}
