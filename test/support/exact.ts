// The false-positive rate of a filter of 512-bit lines, or of lines of fewer cells, exactly: no closed form, a dynamic programme over the number of
// distinct bits after each throw.

const BITS = 512;

/** Distribution of the number of set bits in a line, throw after throw. */
class Throws {
  private distribution: Float64Array;
  private thrown = 0;

  constructor(private readonly cells: number) {
    this.distribution = Float64Array.of(1, ...new Float64Array(cells));
  }

  /** E[(X / cells)^k] after so many throws; must be asked in ascending order. */
  rateAfter(throws: number, k: number): number {
    const { cells } = this;
    for (; this.thrown < throws; this.thrown++) {
      const next = new Float64Array(cells + 1);
      for (let x = 0; x <= cells; x++) {
        const p = this.distribution[x]!;
        if (p === 0) continue;
        next[x]! += (p * x) / cells;
        if (x < cells) next[x + 1]! += p * (1 - x / cells);
      }
      this.distribution = next;
    }
    return this.distribution.reduce((sum, p, x) => sum + p * (x / cells) ** k, 0);
  }
}

/** Rate of a line that holds 0, 1, 2, … keys. */
const lineRates = new Map<string, { throws: Throws; rates: number[] }>();

function lineRate(keys: number, k: number, cells: number): number {
  let line = lineRates.get(`${k} ${cells}`);
  if (!line) lineRates.set(`${k} ${cells}`, (line = { throws: new Throws(cells), rates: [] }));
  while (line.rates.length <= keys) line.rates.push(line.throws.rateAfter(k * line.rates.length, k));
  return line.rates[keys]!;
}

/** The mean and the variance, from line to line, of the rate where lines hold a Poisson number of keys. */
function moments(meanKeys: number, k: number, cells: number): { mean: number; variance: number } {
  let mean = 0;
  let square = 0;
  const reach = meanKeys + 12 * Math.sqrt(meanKeys) + 30;
  let logWeight = -meanKeys;
  for (let i = 0; i <= reach; i++) {
    const weight = Math.exp(logWeight);
    const rate = lineRate(i, k, cells);
    mean += weight * rate;
    square += weight * rate * rate;
    logWeight += Math.log(meanKeys / (i + 1));
  }
  return { mean, variance: square - mean * mean };
}

/** The exact rate at so many bits per key with k positions. */
export function exactRate(bitsPerKey: number, k: number): number {
  return moments(BITS / bitsPerKey, k, BITS).mean;
}

/**
 * The standard deviation of a measured rate: that of counting so many answers, and that of one filter, whose lines came
 * out fuller or emptier than the average filter's.
 */
export function sigma(keys: number, lines: number, k: number, asked: number, cells = BITS): number {
  const { mean, variance } = moments(keys / lines, k, cells);
  return Math.sqrt((mean * (1 - mean)) / asked + variance / lines);
}

/** The exact rate of a filter that holds so many keys. */
export function exactRateAt(keys: number, lines: number, k: number, cells: number): number {
  return moments(keys / lines, k, cells).mean;
}
