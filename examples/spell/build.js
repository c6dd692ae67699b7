// node examples/spell/build.js [list [filter]]: makes the filter that examples/spell.js asks of a list of words, one a line.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { FuseFilter } from "bloomline";
import { filterFile, listFile } from "./files.js";

const [list = listFile, file = filterFile] = process.argv.slice(2);
if (!existsSync(list)) {
  console.error(
    `There is no list of words at ${list}. Install the Debian package wamerican, or name a list of your own.`,
  );
  process.exit(1);
}
const words = readFileSync(list, "utf8").split("\n").filter(Boolean);
const bytes = FuseFilter.from(words, { bits: 16 }).toBytes();
writeFileSync(file, bytes);
console.log(`${words.length} words, ${bytes.length} bytes`);
