// Reproducible keys: every number that a test pins comes from here.

/** xorshift32: the same numbers on every run and machine. */
export function numbers(seed: number): () => number {
  let state = seed | 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
}

/** So many bytes of noise. */
export function noise(length: number, seed = 1): Uint8Array {
  const next = numbers(seed);
  return Uint8Array.from({ length }, () => next() >>> 24);
}

/** The integers from..to. */
export function range(from: number, to: number): Uint32Array {
  const integers = new Uint32Array(to - from);
  // Ten times as fast as Uint32Array.from, and asked for a hundred million integers in all.
  for (let i = 0; i < integers.length; i++) integers[i] = from + i;
  return integers;
}
