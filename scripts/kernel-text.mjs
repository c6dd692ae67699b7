// A kernel's bytes as text, which src/engine/compile.ts reads.

/**
 * For the commonest byte first. What minified code has most of comes early, because gzip counts it and the kernels together;
 * scripts/tune-alphabet.mjs found the order, which is 40 bytes a page better than that of how common they are in code.
 */
export const CHARACTERS = "n),r(tidcf1a:0o=-+|&.5uy}m46wh28l{[#];*?!RbgS>9v3psNOIP_TAE7UBMkF";

/** How many of the commonest bytes have a character of their own; from 40 to 70 the size is the same. */
const COMMON = 50;
const ESCAPE = "e";

/** A character for each byte that is common in this kernel, and for the sixteen digits; for any other byte the escape. */
export function alphabetOf(bytes, characters = CHARACTERS) {
  const counts = new Uint32Array(256);
  for (const byte of bytes) counts[byte]++;
  const byCount = [...counts.keys()].sort((a, b) => counts[b] - counts[a] || a - b);
  const alphabet = new Array(256).fill(ESCAPE);
  let taken = 0;
  for (const [rank, byte] of byCount.entries()) {
    if (rank < COMMON || byte < 16) alphabet[byte] = characters[taken++];
  }
  return alphabet.join("");
}

export function textOf(bytes, alphabet) {
  return Array.from(bytes, (byte) =>
    alphabet[byte] === ESCAPE ? ESCAPE + alphabet[byte >> 4] + alphabet[byte & 15] : alphabet[byte],
  ).join("");
}
