import { adjectives, endings, folders, nouns } from "./words.js";

/** Of the demo list. */
export const ENTRIES = 100_000;

/** Spreads an index over all 32 bits, so that neighbours get different words. */
function mix(i: number): number {
  let x = Math.imul(i ^ (i >>> 16), 0x45d9f3b);
  x = Math.imul(x ^ (x >>> 16), 0x45d9f3b);
  return (x ^ (x >>> 16)) >>> 0;
}

const pick = (words: readonly string[], n: number) => words[n % words.length]!;

function site(i: number, joint: string): string {
  const n = mix(i);
  return `${pick(adjectives, n)}${joint}${pick(nouns, n >>> 8)}${i}.${pick(endings, n >>> 16)}`;
}

function path(i: number): string {
  const n = mix(~i);
  return `${pick(folders, n)}/${pick(nouns, n >>> 8)}`;
}

/** Entry i of the demo list, as such lists hold them: a site, a host of it, a folder, or a single address. */
export function entry(i: number): string {
  const host = site(i, "-");
  switch (i % 4) {
    case 0:
      return `${host}/`;
    case 1:
      return `${pick(folders, mix(i + 1))}.${host}/`;
    case 2:
      return `${host}/${path(i)}/`;
    default:
      return `${host}/${path(i)}.html?id=${i}`;
  }
}

/** URL i of those that are not on the list, of the same shapes: some are pages of a listed site's neighbours. */
export function stranger(i: number): string {
  const host = site(i, "");
  switch (i % 3) {
    case 0:
      return `https://${host}/`;
    case 1:
      return `https://${pick(folders, mix(i + 1))}.${host}/${path(i)}/index.html`;
    default:
      return `https://www.${host}/${path(i)}.html?page=${i}`;
  }
}
