/** The chance of 0, 1, … `most` keys on a line where `mean` are expected. */
export function poisson(mean: number, most: number): number[] {
  const chances: number[] = [];
  let logFactorial = 0;
  for (let i = 0; i <= most; i++) {
    if (i > 0) logFactorial += Math.log(i);
    chances.push(mean === 0 ? Number(i === 0) : Math.exp(i * Math.log(mean) - mean - logFactorial));
  }
  return chances;
}

/** How many lines have 0, 1, … `most` keys; those with more count as most. */
export function histogram(keysOfLine: Uint16Array, most: number): number[] {
  const lines = new Array<number>(most + 1).fill(0);
  for (const keys of keysOfLine) lines[Math.min(keys, most)]!++;
  return lines;
}
