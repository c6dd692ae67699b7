// The false-positive mathematics of a filter of 512-bit lines; docs/MATHS.md derives it.
//
// The number of keys in a line is Poisson with mean 512 / bitsPerKey. Given i keys, a line has thrown k·i positions at
// 512 bits, and a stranger is taken for a member with probability E[(X / 512)^k], X being the distinct bits set. The
// usual formula puts E[X] in place of X and reads 0.2 to 3.7 % too low; the variance of X repairs that to within 0.05 %.
//
// A line may also hold fewer cells than bits: counters of 4 or 8 bits, 128 or 64 of them. The mathematics is the same,
// and the formula within 0.3 % of exact down to a rate of 1e-6.

import { HEAD, LINE, MAX_LINES } from "../engine/layout.js";
import { mustBe } from "../errors.js";

/** Bits of a line, and its cells unless a filter says otherwise. */
const BITS = 512;

/** The most positions per key; more never pays above an error rate of 1e-9. */
export const MAX_HASHES = 32;
export const MIN_ERROR_RATE = 1e-9;
export const MAX_ERROR_RATE = 0.5;

/**
 * Filters are sized for this share of the asked error rate. A filter of a million keys, asked four million times,
 * scatters by 0.55 % around the formula (one sigma); sized on the mark, half of all filters would miss it. Four sigma cost
 * 0.055 bits a key.
 */
export const AIM = 0.978;

/** The geometry of a filter, and what follows from it. */
export interface FilterSize {
  readonly lines: number;
  readonly hashes: number;
  readonly bitsPerKey: number;
  /** What the filter takes in memory and in a file. */
  readonly byteLength: number;
  /** The rate at capacity, by the formula. */
  readonly errorRate: number;
}

/** Rate in a line that holds i keys. */
function lineRate(i: number, k: number, cells: number): number {
  const throws = k * i;
  const zero = (1 - 1 / cells) ** throws;
  const filled = 1 - zero;
  if (filled === 0) return 0;
  const variance = zero / cells + (1 - 1 / cells) * (1 - 2 / cells) ** throws - zero * zero;
  return Math.min(1, filled ** k * (1 + ((k * (k - 1)) / 2) * (variance / (filled * filled))));
}

/** Rate of a filter whose lines hold `mean` keys on average. Sums outward from the likeliest number of keys. */
export function rateAtMean(mean: number, k: number, cells = BITS): number {
  if (mean === 0) return 0;
  if (mean > 20 * cells) return 1;
  const mode = Math.floor(mean);
  let weight = 1;
  let weights = 0;
  let sum = 0;
  for (let i = mode; weight > 1e-18 || i <= mean; i++) {
    weights += weight;
    sum += weight * lineRate(i, k, cells);
    weight *= mean / (i + 1);
  }
  weight = mode / mean;
  for (let i = mode - 1; i >= 0 && weight > 1e-18; i--) {
    weights += weight;
    sum += weight * lineRate(i, k, cells);
    weight *= i / mean;
  }
  return sum / weights;
}

/** Walks downhill from `guess`; the cost has one valley in k. */
function bestHashes(cost: (k: number) => number, guess: number): number {
  let k = Math.min(Math.max(1, guess), MAX_HASHES);
  let least = cost(k);
  for (const step of [-1, 1]) {
    for (let next = k + step; next >= 1 && next <= MAX_HASHES; next += step) {
      const there = cost(next);
      if (there >= least) break;
      k = next;
      least = there;
    }
  }
  return k;
}

/** The cells per key at which k positions give the rate: bisection, the rate falls with every cell. */
function cellsPerKeyFor(rate: number, k: number, cells: number): number {
  let low = 0.5;
  let high = BITS;
  while (high - low > 1e-12 * high) {
    const middle = (low + high) / 2;
    if (rateAtMean(cells / middle, k, cells) > rate) low = middle;
    else high = middle;
  }
  return high;
}

/** Filters of one size are often made in a row, and the answers cost more than the filter. */
const answers = new Map<string, number>();

function remember(question: string, answer: () => number): number {
  let known = answers.get(question);
  if (known === undefined) {
    if (answers.size >= 256) answers.clear();
    answers.set(question, (known = answer()));
  }
  return known;
}

/** The best k for lines that hold `mean` keys on average. */
function bestHashesFor(mean: number, cells = BITS): number {
  return remember(`${mean}/${cells}`, () =>
    bestHashes((k) => rateAtMean(mean, k, cells), Math.round((cells / mean) * Math.LN2)),
  );
}

/** The fewest cells per key that give the rate. */
function fewestCellsPerKey(rate: number, cells: number): number {
  return remember(`${rate} ${cells}`, () => {
    const k = bestHashes((k) => cellsPerKeyFor(rate, k, cells), Math.round(-Math.log2(rate)));
    return cellsPerKeyFor(rate, k, cells);
  });
}

function sized(capacity: number, lines: number, hashes: number, cells = BITS): FilterSize {
  return {
    lines,
    hashes,
    bitsPerKey: (lines * BITS) / capacity,
    byteLength: HEAD + lines * LINE,
    errorRate: rateAtMean(capacity / lines, hashes, cells),
  };
}

function checkedLines(capacity: number, bitsPerKey: number): number {
  const lines = Math.ceil((capacity * bitsPerKey) / BITS);
  if (lines <= MAX_LINES) return lines;
  const most = Math.floor((MAX_LINES * BITS) / bitsPerKey);
  throw new RangeError(
    `capacity is ${capacity}; at ${bitsPerKey.toFixed(2)} bits a key, just under 4 GiB hold ${most}. Use several filters.`,
  );
}

/** The smallest filter that holds `capacity` keys at `errorRate`; of lines with fewer cells than bits, if so given. */
export function sizeFor(capacity: number, errorRate: number, cells = BITS): FilterSize {
  checkCapacity(capacity);
  checkErrorRate(errorRate);
  const lines = checkedLines(capacity, (fewestCellsPerKey(errorRate * AIM, cells) * BITS) / cells);
  return sized(capacity, lines, bestHashesFor(capacity / lines, cells), cells);
}

/** The filter with this many bits per key; without `hashes`, with the best number of them. */
export function sizeByHand(capacity: number, bitsPerKey: number, hashes?: number): FilterSize {
  checkCapacity(capacity);
  if (typeof bitsPerKey !== "number" || !(bitsPerKey >= 0.5 && bitsPerKey <= 1024)) {
    throw mustBe("bitsPerKey", bitsPerKey, "a number from 0.5 to 1024");
  }
  const lines = checkedLines(capacity, bitsPerKey);
  if (hashes !== undefined) checkHashes(hashes);
  return sized(capacity, lines, hashes ?? bestHashesFor(capacity / lines));
}

/** The error rate of a filter of this geometry that holds `keys` keys, also beyond its capacity. */
export function errorRateAt(keys: number, lines: number, hashes: number): number {
  if (typeof keys !== "number" || !(keys >= 0)) throw mustBe("keys", keys, "a number from 0 up");
  checkLines(lines);
  checkHashes(hashes);
  return rateAtMean(keys / lines, hashes);
}

/** How many keys a filter of this geometry holds before its error rate rises above `errorRate`. */
export function capacityAt(errorRate: number, lines: number, hashes: number): number {
  checkErrorRate(errorRate);
  checkLines(lines);
  checkHashes(hashes);
  let low = 0;
  let high = lines * BITS;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (rateAtMean(middle / lines, hashes) > errorRate) high = middle;
    else low = middle;
  }
  return low;
}

/**
 * How many distinct keys set so many cells: the inverse of the expected number. A key leaves a bit of its line unset with
 * probability (511/512)^k, and the other lines untouched. Infinity where every cell is set.
 */
export function keysFromOnes(ones: number, lines: number, hashes: number, cells = BITS): number {
  const perKey = (1 - (1 - 1 / cells) ** hashes) / lines;
  return Math.log1p(-ones / (lines * cells)) / Math.log1p(-perKey);
}

function checkWhole(name: string, value: unknown, most: number): void {
  if (!Number.isSafeInteger(value) || (value as number) < 1 || (value as number) > most) {
    throw mustBe(name, value, `a whole number from 1 ${most < Infinity ? `to ${most}` : "up"}`);
  }
}

export function checkCapacity(capacity: unknown): asserts capacity is number {
  checkWhole("capacity", capacity, Infinity);
}

export function checkHashes(hashes: unknown): asserts hashes is number {
  checkWhole("hashes", hashes, MAX_HASHES);
}

function checkLines(lines: unknown): asserts lines is number {
  checkWhole("lines", lines, MAX_LINES);
}

export function checkErrorRate(errorRate: unknown): asserts errorRate is number {
  if (typeof errorRate !== "number" || !(errorRate >= MIN_ERROR_RATE && errorRate <= MAX_ERROR_RATE)) {
    throw mustBe("errorRate", errorRate, `a number from ${MIN_ERROR_RATE} to ${MAX_ERROR_RATE}`);
  }
}
