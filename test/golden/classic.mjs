// node test/golden/classic.mjs: writes the golden files of the family classic and of the composites, on the rules of
// make.mjs.
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { argv } from "node:process";
import { pathToFileURL } from "node:url";
import {
  AgingBloomFilter,
  ClassicBloomFilter,
  PartitionedBloomFilter,
  ScalableBloomFilter,
  StableBloomFilter,
  TieredFilter,
} from "bloomline";

const words = ["", "alpha", "beta", "naïve", "布隆過濾器", "🌸", "\ud800"];
const integers = Array.from({ length: 100 }, (_, i) => i * i - 50);

/** What is in each golden file. */
export const goldens = [
  {
    name: "classic.bloom",
    type: ClassicBloomFilter,
    options: { capacity: 100, errorRate: 0.001, seed: 0xfedcba9876543210n },
    keys: [...words, ...integers],
    sha256: "249d0b1f5321b2169c10687ad84401d9f8599e002b48ff8cc8ad70f47ba26254",
  },
  {
    name: "classic-by-hand.bloom",
    type: ClassicBloomFilter,
    options: { bits: 777, hashes: 5 },
    keys: words,
    sha256: "79afb03deb786bbc08b55d8376555ee2255e6545066d7486da0d9bb36f35fe40",
  },
  {
    name: "partitioned.bloom",
    type: PartitionedBloomFilter,
    options: { capacity: 100, errorRate: 0.001, seed: 42 },
    keys: [...words, ...integers],
    sha256: "a075cd750439b6a60bb680dff5c64f20a8bcc0c88cf864eb23e14b2035a48dd7",
  },
  {
    name: "stable.bloom",
    type: StableBloomFilter,
    options: { capacity: 30, errorRate: 0.05, forgetRate: 0.1, seed: 42 },
    keys: [...words, ...integers],
    sha256: "604d0665130c678ca2454a9fedb90648d36fccf24a26e3df5f97b1895ebb957c",
  },
  {
    name: "scalable.bloom",
    type: ScalableBloomFilter,
    options: { capacity: 10, seed: 42 },
    keys: [...words, ...integers],
    sha256: "c9dec272d84094c86bffd018a4f3ffc3bcf99dad045603bc2e482128fb6375d3",
  },
  {
    name: "aging.bloom",
    type: AgingBloomFilter,
    options: { capacity: 60, maxKeys: 50, maxAgeMs: 3_600_000, clock: () => 1_800_000_000_000, seed: 42 },
    keys: [...words, ...integers],
    sha256: "c344fbef85649afc441f30c1527f27ae39f4a5d838a3fb5f5a4fd3882b83f367",
  },
  {
    name: "tiered.bloom",
    type: TieredFilter,
    options: {
      hot: { capacity: 20, errorRate: 1e-6 },
      cold: { capacity: 100 },
      isHot: (key) => typeof key === "string",
      seed: 42,
    },
    keys: [...words, ...integers],
    sha256: "4ca039d15e316c98b6ce507ce4b1c1edb8a434216174437b513e0b952c8a885e",
  },
];

export function make({ type, options, keys }, engine = {}) {
  const filter = new type({ ...options, ...engine });
  filter.addMany(keys);
  return filter;
}

if (argv[1] && import.meta.url === pathToFileURL(argv[1]).href) {
  for (const golden of goldens) {
    const bytes = make(golden).toBytes();
    writeFileSync(new URL(golden.name, import.meta.url), bytes);
    console.log(`${createHash("sha256").update(bytes).digest("hex")}  ${golden.name}`);
  }
}
