// npm run layouts --prefix bench/frozen: asking 1,000 filters of 10,000 keys, bit-sliced (what FilterBank does) and with
// the filters' lines side by side. Both answer alike; the time is all that differs.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { FilterBank } from "../../dist/index.js";
import { sideBySide } from "./timing.js";

const FILTERS = 1000;
const KEYS = 10_000;
const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const wasm = join(tmpdir(), `bloomline-interleaved-${process.pid}.wasm`);
const asc = at("../../node_modules/assemblyscript/bin/asc.js");
const flags = ["-O3", "--runtime", "stub", "--importMemory", "--noExportMemory"];
execFileSync(process.execPath, [asc, at("assembly/interleaved.ts"), ...flags, "-o", wasm], { stdio: "inherit" });

const bank = new FilterBank({ filters: FILTERS, capacity: KEYS });
const { filterLines, hashes } = bank;
const bytes = FILTERS * filterLines * 64;
const memory = new WebAssembly.Memory({ initial: Math.ceil(bytes / 65536) + 1 });
const module = new WebAssembly.Module(readFileSync(wasm));
const { which } = new WebAssembly.Instance(module, { env: { memory } }).exports;
const LINES = 65536;
const OUT = 1024;
const lines = new Uint8Array(memory.buffer, LINES);
const out = new Int32Array(memory.buffer, OUT, Math.ceil(FILTERS / 32));

for (let i = 0; i < FILTERS; i++) {
  bank.addMany(
    i,
    Uint32Array.from({ length: KEYS }, (_, j) => i * KEYS + j),
  );
  const own = bank.filter(i).toBytes().subarray(64);
  for (let line = 0; line < filterLines; line++) {
    lines.set(own.subarray(line * 64, line * 64 + 64), (line * FILTERS + i) * 64);
  }
}

const asked = Array.from({ length: 1000 }, (_, i) => bank.hash(i * 20_011));
const parts = (x) => [Number(x & 0xffffffffn), Number(x >> 32n)];
function interleaved({ h1, h2 }) {
  which(LINES, FILTERS, filterLines, parts(h1)[1], ...parts(h2), hashes, OUT);
  const found = [];
  for (let i = 0; i < out.length; i++) {
    for (let word = out[i]; word !== 0; word &= word - 1) found.push(i * 32 + 31 - Math.clz32(word & -word));
  }
  return found;
}

for (const hash of asked) {
  if (bank.whichHash(hash).join() !== interleaved(hash).join()) throw new Error("The layouts disagree.");
}
const { sliced, sideways } = sideBySide({
  sliced() {
    for (const hash of asked) bank.whichHash(hash);
  },
  sideways() {
    for (const hash of asked) interleaved(hash);
  },
});
const each = (time) => `${(time / asked.length / 1000).toFixed(2)} µs a key`;
console.log(
  `bit-sliced: ${each(sliced)}; lines side by side: ${each(sideways)}; ${(sideways / sliced).toFixed(1)} times as much`,
);
