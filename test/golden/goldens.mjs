/** What is in each golden file. */
export const goldens = [
  {
    name: "empty.bloom",
    options: { capacity: 1 },
    keys: [],
    sha256: "8cb3ef949ec91bbbeac6f7e8542bffc85c8a69acb6183e397f106b5822eb91c1",
  },
  {
    name: "words.bloom",
    options: { capacity: 100, errorRate: 0.01 },
    keys: ["", "alpha", "beta", "naïve", "布隆過濾器", "🌸", "\ud800"],
    sha256: "83f62df6b82c772caf15bce99135ea3d8d62a964e987deba1ac04f0085d626d4",
  },
  {
    name: "mixed.bloom",
    options: { capacity: 250, errorRate: 1e-6, seed: 0xfedcba9876543210n },
    keys: Array.from({ length: 250 }, (_, i) => {
      if (i % 4 === 0) return i - 125;
      if (i % 4 === 1) return BigInt(i) << 56n;
      if (i % 4 === 2) return `key ${i}`;
      return Uint8Array.from({ length: i }, (_, j) => (i * 31 + j * 7) % 256);
    }),
    sha256: "8d84ee22c76a50d03fda4197c6ee1361421fc135f58dafb94dcaf47eac4bffb6",
  },
  {
    name: "by-hand.bloom",
    options: { capacity: 64, bitsPerKey: 8, hashes: 3, seed: 42 },
    keys: Array.from({ length: 64 }, (_, i) => i),
    sha256: "8fd165bfc9bf9d2135409907befe9fd24ca275df0fa4049caa89044bb38b6e0a",
  },
];
