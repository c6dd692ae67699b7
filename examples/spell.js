// node examples/spell.js [text [filter]]: marks the words of a text that are not in Debian's American word list, with
// guesses. The list is shipped as a FuseFilter of 16 bits, 0.24 MB for 104,334 words, which node examples/spell/build.js
// makes of /usr/share/dict/american-english (Debian package wamerican).
import { existsSync, readFileSync } from "node:fs";
import { FuseFilter } from "bloomline";
import { filterFile } from "./spell/files.js";

const [input, file = filterFile] = process.argv.slice(2);
if (!existsSync(file)) {
  console.error(`There is no filter at ${file}. Make it with node examples/spell/build.js.`);
  process.exit(1);
}
const filter = FuseFilter.fromBytes(readFileSync(file));
const sample = "The quick brown fox jumps over teh lazy dog, wich did not recieve it's brekfast untill ten o'clock.";
const text = input ? readFileSync(input === "-" ? 0 : input, "utf8") : sample;

/** As in a text: at the start of a sentence a word has a capital that its list entry has not. */
const isKnown = (word) => filter.has(word) || filter.has(word.toLowerCase());

/** Every word that one slip makes of this one. */
function* slips(word) {
  const letters = "abcdefghijklmnopqrstuvwxyz'";
  for (let i = 0; i <= word.length; i++) {
    const [before, after] = [word.slice(0, i), word.slice(i)];
    if (after) yield before + after.slice(1);
    if (after.length > 1) yield before + after[1] + after[0] + after.slice(2);
    for (const letter of letters) {
      yield before + letter + after;
      if (after) yield before + letter + after.slice(1);
    }
  }
}

/** One batch asks for all of them. At a rate of 1/65,536 a guess that is no word is rare. */
function guesses(word) {
  const candidates = [...new Set(slips(word.toLowerCase()))];
  const known = filter.hasMany(candidates);
  return candidates.filter((_, i) => known[i] === 1).slice(0, 5);
}

const words = new Set(text.match(/[\p{L}]+(?:'[\p{L}]+)*/gu) ?? []);
const unknown = [...words].filter((word) => !isKnown(word));
for (const word of unknown) console.log(`${word}: ${guesses(word).join(", ") || "no guess"}`);
console.log(
  `${words.size} different words, ${unknown.length} unknown; ${filter.count} words in ${filter.byteLength} bytes`,
);
