// The natural logarithm, rounded correctly. Math.log is one unit in the last place off now and then (2 % of the time in
// V8), and RedisBloom stores what follows from the logarithm that C computes.

const PLACES = 140n;
const ONE = 1n << PLACES;

/** ln((1 + t) / (1 - t)), all numbers as multiples of 2^-140. */
function series(t: bigint): bigint {
  const square = (t * t) >> PLACES;
  let sum = 0n;
  for (let power = t, n = 1n; power !== 0n; power = (power * square) >> PLACES, n += 2n) sum += power / n;
  return 2n * sum;
}

const LN2 = series(ONE / 3n);

/** Of a positive, normal number. */
export function exactLog(x: number): number {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, x);
  const word = view.getBigUint64(0);
  const exponent = (word >> 52n) - 1023n;
  const mantissa = ((word & (2n ** 52n - 1n)) | (2n ** 52n)) << (PLACES - 52n);
  const log = exponent * LN2 + series(((mantissa - ONE) << PLACES) / (mantissa + ONE));
  return Number(log) / 2 ** Number(PLACES);
}
