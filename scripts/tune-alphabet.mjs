// node scripts/tune-alphabet.mjs [seconds]: looks for an order of CHARACTERS, in kernel-text.mjs, that makes pages smaller.
// Simulated annealing over swaps, on the package as last built. Run it when a budget is near; what it prints is to be
// copied there by hand.
import { readFileSync } from "node:fs";
import { budgets, bundle, gzipped } from "./budgets.mjs";
import { alphabetOf, CHARACTERS, textOf } from "./kernel-text.mjs";

const seconds = Number(process.argv[2] ?? 90);
const kernel = readFileSync(new URL("../build/core.wasm.wasm", import.meta.url));
const [oldAlphabet, oldText] = [alphabetOf(kernel), textOf(kernel, alphabetOf(kernel))];
const pages = await Promise.all(budgets.map(({ code }) => bundle(code)));
for (const page of pages) {
  if (!page.includes(oldText)) throw new Error("The package is not what was built last; run npm run build.");
}

/** Bytes of all pages with that order. */
function sizeWith(characters) {
  const alphabet = alphabetOf(kernel, characters);
  const text = textOf(kernel, alphabet);
  return pages.reduce((sum, page) => sum + gzipped(page.replace(oldAlphabet, alphabet).replace(oldText, text)), 0);
}

const anywhere = () => Math.floor(Math.random() * CHARACTERS.length);
let [current, size] = [CHARACTERS, sizeWith(CHARACTERS)];
let [best, least] = [current, size];
console.log(`${size} bytes as it is`);
const start = performance.now();
for (let part = 0; part < 1; part = (performance.now() - start) / 1000 / seconds) {
  const swapped = [...current];
  const [i, j] = [anywhere(), anywhere()];
  [swapped[i], swapped[j]] = [swapped[j], swapped[i]];
  const characters = swapped.join("");
  const its = sizeWith(characters);
  if (its > size && Math.random() >= Math.exp((size - its) / (4 * (1 - part)))) continue;
  [current, size] = [characters, its];
  if (size < least) [best, least] = [current, size];
}
console.log(`${least} bytes with\n${best}`);
