// n values drawn from N lie N / n apart, geometrically distributed. A Rice code with b bits of remainder takes
//
//   b + 1 / (1 − e^(−2^b / mean))
//
// bits for a gap: the remainder, and a one behind as many zeros as the quotient says. At the best b that is between
// log2(mean) + 1.47 and log2(mean) + 1.57; the least that any code can take is log2(mean) + 1.44.

/** How a set of values is coded. */
export interface GolombSize {
  /** Bits of a remainder. */
  readonly rice: number;
  /** log2 of the values in a bucket of the index. */
  readonly width: number;
  readonly buckets: number;
  /** Bits per value, the index left out. */
  readonly bitsPerValue: number;
}

/** Members in the smallest bucket, on average; in the largest, twice as many. So an index entry costs 0.3 to 0.6 bits each. */
const BUCKET = 54;

/** What values are below. */
export function golombLimit(capacity: number, errorRate: number): number {
  return Math.ceil(capacity / errorRate);
}

export function bucketsOf(limit: number, width: number): number {
  return Math.floor((limit - 1) / 2 ** width) + 1;
}

function bitsPerGap(rice: number, mean: number): number {
  return rice - 1 / Math.expm1(-(2 ** rice) / mean);
}

export function golombSizeFor(values: number, limit: number): GolombSize {
  const mean = limit / Math.max(values, 1);
  let rice = Math.max(0, Math.floor(Math.log2(mean)) - 1);
  while (bitsPerGap(rice + 1, mean) < bitsPerGap(rice, mean)) rice++;
  const width = Math.ceil(Math.log2(BUCKET * mean));
  return { rice, width, buckets: bucketsOf(limit, width), bitsPerValue: bitsPerGap(rice, mean) };
}
