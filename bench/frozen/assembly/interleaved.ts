// The layout that assembly/bank.ts does not use: line 0 of all filters side by side, then line 1, … Built by layouts.js.

import { test } from "../../../assembly/line";

/** Bit i of `out` says whether filter i may hold the key; of its hash, the high half of h1 and both halves of h2. */
export function which(
  lines: usize,
  filters: u32,
  filterLines: u32,
  high1: u32,
  low2: u32,
  high2: u32,
  k: u32,
  out: usize,
): void {
  const h2 = ((<u64>high2) << 32) | low2;
  let line = lines + <usize>((<u64>high1 * filterLines) >>> 32) * filters * 64;
  for (let i: u32 = 0; i < filters; i += 32) {
    let word: u32 = 0;
    for (let bit: u32 = 0; bit < 32 && i + bit < filters; bit++, line += 64) word |= test(line, h2, k) << bit;
    store<u32>(out + ((<usize>(i >>> 5)) << 2), word);
  }
}
