// node bench/bits-per-key.js: draws docs/bits-per-key.svg, the memory of each kind of filter by its error rate, from
// filters of 100,000 keys as they are made; and prints the table's columns for docs/CHOOSING.md.
import { writeFileSync } from "node:fs";
import {
  AgingBloomFilter,
  BloomFilter,
  BloomierMap,
  ClassicBloomFilter,
  CompactApproximator,
  CountingBloomFilter,
  CuckooFilter,
  FuseFilter,
  GolombSet,
  PartitionedBloomFilter,
  QuotientFilter,
  ScalableBloomFilter,
  StableBloomFilter,
} from "../dist/index.js";

const capacity = 100_000;
const keys = Uint32Array.from({ length: capacity }, (_, i) => i);
const rates = Array.from({ length: 19 }, (_, i) => 10 ** (-0.75 - i / 4));

const kinds = [
  { name: "BloomFilter", colour: "#1668b8", make: (errorRate) => new BloomFilter({ capacity, errorRate }) },
  {
    name: "ClassicBloomFilter",
    colour: "#c44e1c",
    make: (errorRate) => new ClassicBloomFilter({ capacity, errorRate }),
  },
  {
    name: "PartitionedBloomFilter",
    colour: "#7a7a7a",
    make: (errorRate) => new PartitionedBloomFilter({ capacity, errorRate }),
  },
  {
    name: "CountingBloomFilter",
    colour: "#a02c4a",
    make: (errorRate) => new CountingBloomFilter({ capacity, errorRate }),
  },
  { name: "CuckooFilter", colour: "#168a8a", make: (errorRate) => new CuckooFilter({ capacity, errorRate }) },
  { name: "QuotientFilter", colour: "#5a3c1c", make: (errorRate) => new QuotientFilter({ capacity, errorRate }) },
  { name: "ScalableBloomFilter", colour: "#2c8a4b", make: grown },
  { name: "AgingBloomFilter", colour: "#8a4fb0", make: (errorRate) => new AgingBloomFilter({ capacity, errorRate }) },
  { name: "StableBloomFilter", colour: "#b08a1c", make: (errorRate) => new StableBloomFilter({ capacity, errorRate }) },
  { name: "FuseFilter", colour: "#d0387a", make: fuse },
  { name: "GolombSet", colour: "#111111", make: (errorRate) => GolombSet.from(keys, { errorRate }) },
];

/** These hold a value of 8 bits for each key: they are in the table, but not beside the others in the drawing. */
const maps = [
  {
    name: "BloomierMap, 8-bit values",
    make: (errorRate) =>
      BloomierMap.from(
        Array.from(keys, (key) => [key, key & 255]),
        { valueBits: 8, errorRate },
      ),
  },
  {
    name: "CompactApproximator, 8-bit values",
    make: (errorRate) => new CompactApproximator({ capacity, errorRate }),
  },
];

/** The shortest fingerprints that keep the rate. */
function fuse(errorRate) {
  return FuseFilter.from(keys, { bits: [8, 16, 32].find((bits) => 2 ** -bits <= errorRate) });
}

/** From a hundredth of the keys to where its layers are full. */
function grown(errorRate) {
  const filter = new ScalableBloomFilter({ capacity: capacity / 100, errorRate });
  for (let at = 0; filter.count < capacity; at += 1000) {
    filter.addMany(Uint32Array.from({ length: 1000 }, (_, i) => at + i));
  }
  return filter;
}

function bitsPerKey(kind, rate) {
  const filter = kind.make(rate);
  const { bitsPerKey } = filter;
  filter.dispose();
  return bitsPerKey;
}

const width = 760;
const height = 460;
const left = 60;
const right = 190;
const top = 20;
const bottom = 50;
const most = 60;
const x = (rate) => left + ((width - left - right) * (-Math.log10(rate) - 0.5)) / 5;
const y = (bits) => height - bottom - ((height - top - bottom) * Math.min(bits, most)) / most;
const text = (at, down, content, anchor = "middle", colour = "#333") =>
  `<text x="${at.toFixed(1)}" y="${down.toFixed(1)}" text-anchor="${anchor}" fill="${colour}">${content}</text>`;
const line = (x1, y1, x2, y2) =>
  `<path d="M${x1.toFixed(1)} ${y1.toFixed(1)}L${x2.toFixed(1)} ${y2.toFixed(1)}" stroke="#ddd"/>`;

const parts = [];
for (let bits = 0; bits <= most; bits += 10) {
  parts.push(line(left, y(bits), width - right, y(bits)), text(left - 8, y(bits) + 4, bits, "end"));
}
for (const [rate, label] of [
  [0.1, "10 %"],
  [0.01, "1 %"],
  [0.001, "0.1 %"],
  [1e-4, "0.01 %"],
  [1e-5, "0.001 %"],
]) {
  parts.push(line(x(rate), top, x(rate), height - bottom), text(x(rate), height - bottom + 18, label));
}
parts.push(text((left + width - right) / 2, height - 10, "error rate"), text(left, 12, "bits per key", "start"));
const labels = [];
for (const kind of kinds) {
  const points = rates.map((rate) => ({ rate, bits: bitsPerKey(kind, rate) })).filter(({ bits }) => bits <= most);
  const path = points.map(({ rate, bits }) => `${x(rate).toFixed(1)} ${y(bits).toFixed(1)}`).join("L");
  parts.push(`<path d="M${path}" fill="none" stroke="${kind.colour}" stroke-width="2"/>`);
  const last = points.at(-1);
  labels.push({ ...kind, at: x(last.rate) + 6, down: y(last.bits) + 4 });
}
// Names that would overlap move apart, from the top down.
labels.sort((a, b) => a.down - b.down);
labels.forEach((label, i) => {
  if (i > 0) label.down = Math.max(label.down, labels[i - 1].down + 15);
  parts.push(text(label.at, label.down, label.name, "start", label.colour));
});
writeFileSync(
  new URL("../docs/bits-per-key.svg", import.meta.url),
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12">
<title>Bits per key by error rate</title>
<rect width="${width}" height="${height}" fill="#fff"/>
${parts.join("\n")}
</svg>
`,
);
console.table(
  Object.fromEntries(
    [...kinds, ...maps].map((kind) => [
      kind.name,
      { "1 %": bitsPerKey(kind, 0.01).toFixed(2), "0.01 %": bitsPerKey(kind, 1e-4).toFixed(2) },
    ]),
  ),
);
