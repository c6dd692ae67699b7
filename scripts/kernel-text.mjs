// A kernel's bytes as text, which src/engine/compile.ts reads.

/** What minified code has most of comes first, because gzip counts it and the kernels together. Without the escape, "e". */
const CHARACTERS = "trn,i()s=oa.hlfuc>0}{;1y2gmwb:+|dp[]4A#68&3?ER9k-5!IvSU_O*BMT7NPF";

/** How many of the commonest bytes have a character of their own; from 40 to 70 the size is the same. */
const COMMON = 50;
const ESCAPE = "e";

/** A character for each byte that is common in this kernel, and for the sixteen digits; for any other byte the escape. */
export function alphabetOf(bytes) {
  const counts = new Uint32Array(256);
  for (const byte of bytes) counts[byte]++;
  const byCount = [...counts.keys()].sort((a, b) => counts[b] - counts[a] || a - b);
  const alphabet = new Array(256).fill(ESCAPE);
  let taken = 0;
  for (const [rank, byte] of byCount.entries()) {
    if (rank < COMMON || byte < 16) alphabet[byte] = CHARACTERS[taken++];
  }
  return alphabet.join("");
}

export function textOf(bytes, alphabet) {
  return Array.from(bytes, (byte) =>
    alphabet[byte] === ESCAPE ? ESCAPE + alphabet[byte >> 4] + alphabet[byte & 15] : alphabet[byte],
  ).join("");
}
