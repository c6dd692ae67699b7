// node examples/spell/build.js [list]: makes the filter that examples/spell.js ships with.
import { readFileSync, writeFileSync } from "node:fs";
import { FuseFilter } from "bloomline";

const list = process.argv[2] ?? "/usr/share/dict/american-english";
const words = readFileSync(list, "utf8").split("\n").filter(Boolean);
const bytes = FuseFilter.from(words, { bits: 16 }).toBytes();
writeFileSync(new URL("american-english.bloom", import.meta.url), bytes);
console.log(`${words.length} words, ${bytes.length} bytes`);
