// The golden files of the frozen family, and how each is built. node test/golden/frozen.mjs writes them: for a new kind
// or a new version, and never to make a failing test pass.
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { BloomierMap, CompactApproximator, FilterBank, FuseFilter, GolombSet } from "bloomline";

const words = ["", "alpha", "beta", "naïve", "布隆過濾器", "🌸", "\ud800"];
const numbers = Array.from({ length: 250 }, (_, i) => i * 7919 - 1000);
const entries = numbers.map((key, i) => [key, (i * 2654435761) % 2 ** 13]);

export const frozenGoldens = [
  { name: "fuse-empty.bloom", keys: [], build: (engine) => FuseFilter.from([], engine) },
  { name: "fuse8.bloom", keys: words, build: (engine) => FuseFilter.from(words, { ...engine, seed: 7 }) },
  {
    name: "fuse16-4.bloom",
    keys: numbers,
    build: (engine) => FuseFilter.from(numbers, { ...engine, bits: 16, hashes: 4 }),
  },
  { name: "fuse32.bloom", keys: numbers, build: (engine) => FuseFilter.from(numbers, { ...engine, bits: 32 }) },
  { name: "golomb-empty.bloom", keys: [], build: (engine) => GolombSet.from([], engine) },
  {
    name: "golomb.bloom",
    keys: numbers,
    build: (engine) => GolombSet.from(numbers, { ...engine, errorRate: 1 / 512, seed: 0xfedcba9876543210n }),
  },
  {
    name: "golomb-room.bloom",
    keys: words,
    build: (engine) => GolombSet.from(words, { ...engine, capacity: 100, errorRate: 1e-9 }),
  },
  {
    name: "bloomier.bloom",
    keys: numbers,
    build: (engine) => BloomierMap.from(entries, { ...engine, valueBits: 13, errorRate: 0.001, seed: 3 }),
  },
  {
    name: "bloomier-wide.bloom",
    keys: words,
    build: (engine) =>
      BloomierMap.from(
        words.map((key, i) => [key, 2 ** 32 - 1 - i]),
        { ...engine, valueBits: 32, errorRate: 1e-9, hashes: 4 },
      ),
  },
  ...[8, 16].map((valueBits) => ({
    name: `approximator${valueBits}.bloom`,
    keys: numbers,
    build(engine) {
      const filter = new CompactApproximator({ ...engine, capacity: 250, errorRate: 0.001, valueBits, seed: 1 });
      numbers.forEach((key, i) => {
        filter.put(key, i + 1);
      });
      return filter;
    },
  })),
  {
    name: "bank.bloom",
    keys: words,
    build(engine) {
      const bank = new FilterBank({ ...engine, filters: 130, capacity: 20, errorRate: 0.02, seed: 5 });
      words.forEach((key, i) => {
        bank.add(i * 20, key);
      });
      bank.drop(20);
      bank.replace(129, words);
      return bank;
    },
  },
];

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const { name, build } of frozenGoldens) {
    const bytes = build({}).toBytes();
    writeFileSync(new URL(name, import.meta.url), bytes);
    console.log(`  "${name}": "${createHash("sha256").update(bytes).digest("hex")}",`);
  }
}
