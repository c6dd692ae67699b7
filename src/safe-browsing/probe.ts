import { HAS } from "../engine/kernel.js";
import { HASH, HASHES_AT, KEYS_AT, RESULTS_AT } from "../engine/layout.js";
import { type ReadableFilter, regionOf } from "../filters/line-filter.js";
import { stageString } from "../keys/door.js";
import { seedHalves } from "../keys/hash.js";
import { expressionsIn, type Stretches } from "./expressions.js";

/**
 * The expressions of a URL that a filter may hold. Its canonical form is staged once, each stretch is hashed where it
 * lies, and all are probed in one go: 1.5 µs for 15 expressions, against 2.9 with hasMany and 8 with has, and no string is
 * made where there is nothing to find.
 */
export function probe(filter: ReadableFilter, url: Stretches): string[] {
  const { stage, kernel, at } = regionOf(filter);
  const { canonical, starts, ends } = url;
  if (stageString(canonical, stage) < 0) return expressionsIn(url).filter((expression) => filter.has(expression));
  const [low, high] = seedHalves(filter.seed);
  let n = 0;
  for (const start of starts) {
    for (const end of ends) stage.kernel.hash(KEYS_AT + start, end - start, low, high, HASHES_AT + HASH * n++);
  }
  if (kernel.actHashes(at, HASHES_AT, n, RESULTS_AT, HAS) === 0) return [];
  return expressionsIn(url).filter((_, i) => stage.results[i] !== 0);
}
