// The stable Bloom filter (F. Deng, D. Rafiei, "Approximately Detecting Duplicates for Streaming Data using Stable Bloom
// Filters", SIGMOD 2006): m cells of up to Max, K of them set and P of them faded with each add.
//
// A cell is set with rate a = K/m and faded with rate b = P/m. In the long run it is zero with probability
//
//   z = (b / (a + b))^Max            the paper's (1 / (1 + 1 / (P·(1/K − 1/m))))^Max, but for 1/m
//
// and a stranger finds no zero with (1 − z)^K: the stable error rate. A cell that was set t adds ago is zero with
// z · G(Max, (a + b)·t), G being the share of the gamma distribution below: the number of fadings since it was last set
// must have reached Max. So a key is forgotten after t adds with 1 − (1 − z·G)^K. Rates fix P/K; the cells follow.

import { MAX_LINES } from "../engine/layout.js";
import { checkCapacity, checkErrorRate } from "./blocked.js";

export interface StableSize {
  readonly cells: number;
  /** Bits of a cell. */
  readonly cellBits: number;
  /** Cells that a key sets: K. */
  readonly hashes: number;
  /** Cells that fade with each add: P. */
  readonly fading: number;
}

/** Cells must not straddle words. */
export const CELL_BITS = [1, 2, 4, 8] as const;
const MOST_HASHES = 32;
export const MOST_FADING = 0xffffff;

const maximum = (cellBits: number) => 2 ** cellBits - 1;

/** The share of zero cells in the long run. */
function zeros({ cells, cellBits, hashes, fading }: StableSize): number {
  return (1 + 1 / (fading * (1 / hashes - 1 / cells))) ** -maximum(cellBits);
}

/** The rate that an endless stream settles at. */
export function stableErrorRate(size: StableSize): number {
  return (1 - zeros(size)) ** size.hashes;
}

/** The share of keys that are forgotten so many adds after their own. */
export function forgottenAfter(adds: number, size: StableSize): number {
  const { cells, cellBits, hashes, fading } = size;
  return 1 - (1 - zeros(size) * gammaBelow(maximum(cellBits), ((hashes + fading) * adds) / cells)) ** hashes;
}

/** The share of the gamma distribution of whole shape n below x: n or more events where x are expected. */
function gammaBelow(n: number, x: number): number {
  if (x === 0) return 0;
  let term = Math.exp(-x);
  let fewer = 0;
  for (let i = 0; i < n; i++) {
    fewer += term;
    term *= x / (i + 1);
  }
  return Math.max(0, 1 - fewer);
}

/** Where gammaBelow(n, x) reaches a share: bisection. */
function gammaAt(n: number, share: number): number {
  let low = 0;
  let high = 700;
  while (high - low > 1e-9 * high) {
    const middle = (low + high) / 2;
    if (gammaBelow(n, middle) < share) low = middle;
    else high = middle;
  }
  return low;
}

function sizeWith(capacity: number, errorRate: number, forgetRate: number, cellBits: number, hashes: number) {
  const max = maximum(cellBits);
  const root = (1 - errorRate ** (1 / hashes)) ** (1 / max);
  const fading = Math.ceil((hashes * root) / (1 - root));
  if (fading > MOST_FADING) return undefined;
  const zero = (fading / (fading + hashes)) ** max;
  const share = (1 - (1 - forgetRate) ** (1 / hashes)) / zero;
  const cells = Math.ceil(((hashes + fading) * capacity) / gammaAt(max, Math.min(share, 1)));
  return { cells: Math.max(cells, 2 * hashes, fading), cellBits, hashes, fading };
}

/**
 * The fewest bits that keep the error rate for ever and forget no more than `forgetRate` of the keys that are `capacity`
 * adds old.
 */
export function stableSizeFor(
  capacity: number,
  errorRate: number,
  forgetRate: number,
  cellBits: readonly number[] = CELL_BITS,
): StableSize {
  checkCapacity(capacity);
  checkErrorRate(errorRate);
  const sizes = cellBits.flatMap((bits) =>
    Array.from({ length: MOST_HASHES }, (_, i) => sizeWith(capacity, errorRate, forgetRate, bits, i + 1) ?? []).flat(),
  );
  const size = sizes.reduce((a, b) => (a.cells * a.cellBits <= b.cells * b.cellBits ? a : b));
  if (size.cells < 2 ** 32 && size.cells * size.cellBits <= MAX_LINES * 512) return size;
  throw new RangeError(
    `capacity is ${capacity}; that takes ${size.cells} cells of ${size.cellBits} bits, more than a filter can have. Lower it, or raise errorRate or forgetRate.`,
  );
}
