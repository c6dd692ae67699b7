import { BloomFilter, capacityAt, errorRateAt, sizeByHand, sizeFor } from "bloomline";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MAX_LINES } from "../../src/engine/layout.js";
import { AIM } from "../../src/sizing/blocked.js";
import { exactRate } from "../support/exact.js";

/** Percent, exact, to four digits, for k = 4, 5, … 11. */
const table: [bitsPerKey: number, percents: number[]][] = [
  [8, [2.5183, 2.3263, 2.3615, 2.5531, 2.8783, 3.3345, 3.9283, 4.6708]],
  [10, [1.267, 1.0453, 0.9665, 0.9686, 1.0284, 1.1379, 1.2963, 1.5067]],
  // biome-ignore lint/suspicious/noApproximativeNumericConstant: a measured rate, not the root of a half
  [12, [0.7071, 0.5264, 0.4456, 0.4145, 0.4135, 0.4346, 0.4752, 0.5348]],
  [14, [0.4265, 0.2894, 0.2259, 0.1958, 0.1838, 0.1835, 0.1921, 0.2086]],
  [16, [0.2733, 0.1705, 0.1235, 0.1003, 0.0889, 0.0844, 0.0846, 0.0886]],
  [20, [0.1285, 0.0692, 0.044, 0.0318, 0.0254, 0.022, 0.0203, 0.0198]],
];

/** The closed form at so many bits per key. */
function closedForm(bitsPerKey: number, k: number): number {
  const lines = 1000;
  return errorRateAt((lines * 512) / bitsPerKey, lines, k);
}

describe("the exact rate", () => {
  it.each(table)("at %i bits a key is that of the table", (bitsPerKey, percents) => {
    percents.forEach((percent, i) => {
      // Half a unit of the last digit, and a little: two of the entries were rounded the wrong way.
      expect(Math.abs(100 * exactRate(bitsPerKey, 4 + i) - percent)).toBeLessThan(0.000_06);
    });
  });
});

describe("errorRateAt", () => {
  it("is within 0.05 % of the exact rate from 8 to 20 bits a key and k from 4 to 12", () => {
    for (let bitsPerKey = 8; bitsPerKey <= 20; bitsPerKey++) {
      for (let k = 4; k <= 12; k++) {
        const off = closedForm(bitsPerKey, k) / exactRate(bitsPerKey, k) - 1;
        expect(Math.abs(off), `${bitsPerKey} bits, k = ${k}`).toBeLessThan(0.0005);
      }
    }
  });

  it("is 0 for an empty filter and 1 for one filled beyond measure", () => {
    expect(errorRateAt(0, 10, 6)).toBe(0);
    expect(errorRateAt(1e9, 10, 6)).toBe(1);
    expect(errorRateAt(Number.POSITIVE_INFINITY, 10, 6)).toBe(1);
  });

  it("rises with every key, and never leaves 0 to 1", () => {
    for (const k of [1, 2, 6, 9, 16, 32]) {
      let before = 0;
      for (let keys = 1; keys < 1e6; keys = Math.ceil(keys * 1.3)) {
        const rate = errorRateAt(keys, 100, k);
        expect(rate).toBeGreaterThanOrEqual(before);
        expect(rate).toBeLessThanOrEqual(1);
        before = rate;
      }
    }
  });

  it.each([
    [[-1, 10, 6], "keys is -1"],
    [[Number.NaN, 10, 6], "keys is NaN"],
    [["5", 10, 6], 'keys is "5"'],
    [[5, 0, 6], "lines is 0"],
    [[5, 1.5, 6], "lines is 1.5"],
    [[5, MAX_LINES + 1, 6], `lines is ${MAX_LINES + 1}`],
    [[5, 10, 0], "hashes is 0"],
    [[5, 10, 33], "hashes is 33"],
    [[5, 10, 2.5], "hashes is 2.5"],
  ])("refuses %o", (args, message) => {
    expect(() => errorRateAt(...(args as [number, number, number]))).toThrow(RangeError);
    expect(() => errorRateAt(...(args as [number, number, number]))).toThrow(message);
  });
});

describe("sizeFor", () => {
  it.each([
    [0.03, 7.43, 5],
    [0.01, 9.92, 6],
    [0.001, 15.55, 9],
    [0.0001, 22.03, 12],
  ])("at %d needs %d bits a key with k = %i, and a little for safety", (rate, bitsPerKey, k) => {
    const size = sizeFor(1_000_000, rate);
    expect(size.hashes).toBe(k);
    expect(size.bitsPerKey).toBeGreaterThan(bitsPerKey);
    expect(size.bitsPerKey).toBeLessThan(bitsPerKey * 1.01);
  });

  const rates = [0.5, 0.3, 0.1, 0.03, 0.01, 3e-3, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9];

  it.each(rates)("meets %d by the exact rate, and no filter a thousandth smaller does", (rate) => {
    const capacity = 1_000_000;
    const { lines, hashes, errorRate } = sizeFor(capacity, rate);
    const exact = exactRate((lines * 512) / capacity, hashes);
    expect(exact).toBeLessThanOrEqual(rate);
    expect(errorRate).toBeLessThanOrEqual(rate);
    for (let k = 1; k <= 32; k++) {
      expect(exactRate((0.999 * lines * 512) / capacity, k), `k = ${k}`).toBeGreaterThan(AIM * rate);
      // The k it chose is the best there is, to within what the closed form can tell apart.
      expect(exactRate((lines * 512) / capacity, k), `k = ${k}`).toBeGreaterThan(0.995 * exact);
    }
  });

  it.each(rates)("has at %d the fewest lines and the best k that there are, tried one by one", (rate) => {
    for (const capacity of [1, 2, 3, 5, 8, 20, 51, 52, 100, 1000, 12_345, 1_000_000]) {
      const { lines, hashes, errorRate } = sizeFor(capacity, rate);
      expect(errorRate).toBeLessThanOrEqual(AIM * rate);
      for (let k = 1; k <= 32; k++) {
        const what = `${capacity} keys, k = ${k}`;
        if (lines > 1) expect(errorRateAt(capacity, lines - 1, k), what).toBeGreaterThan(AIM * rate);
        if (k !== hashes) expect(errorRateAt(capacity, lines, k), what).toBeGreaterThan(errorRate);
      }
    }
  });

  it.each([1, 2, 10, 50, 51, 52, 100, 1000])("holds %i keys in whole lines", (capacity) => {
    for (const rate of rates) {
      const size = sizeFor(capacity, rate);
      expect(Number.isInteger(size.lines) && size.lines >= 1).toBe(true);
      expect(size.errorRate).toBeLessThanOrEqual(rate);
      expect(size.bitsPerKey).toBeCloseTo((size.lines * 512) / capacity, 10);
      expect(size.byteLength).toBe(64 + size.lines * 64);
      expect(size.hashes).toBeGreaterThanOrEqual(1);
      expect(size.hashes).toBeLessThanOrEqual(32);
    }
  });

  it("never sizes a filter smaller for more keys or for a lower rate", () => {
    const rate = fc.double({ min: 1e-9, max: 0.5, noNaN: true });
    const capacity = fc.integer({ min: 1, max: 10_000_000 });
    fc.assert(
      fc.property(capacity, fc.nat(1000), rate, rate, (n, more, one, other) => {
        const [low, high] = [Math.min(one, other), Math.max(one, other)];
        expect(sizeFor(n + more, low).lines).toBeGreaterThanOrEqual(sizeFor(n, low).lines);
        expect(sizeFor(n, low).lines).toBeGreaterThanOrEqual(sizeFor(n, high).lines);
        expect(sizeFor(n, low).errorRate).toBeLessThanOrEqual(low);
      }),
      { numRuns: 50 },
    );
  });

  it.each([0.5, 0.01, 1e-9])("goes up to what just under 4 GiB hold at %d, and not beyond", (rate) => {
    const bits = sizeFor(100_000_000, rate).bitsPerKey;
    const most = Math.floor((MAX_LINES * 512) / bits);
    const size = sizeFor(Math.floor(most * 0.99999), rate);
    expect(size.lines).toBeLessThanOrEqual(MAX_LINES);
    expect(size.byteLength).toBeGreaterThan(0.999 * 2 ** 32);
    expect(size.byteLength).toBeLessThan(2 ** 32);
    const tooMany = Math.ceil(most * 1.00001);
    const beyond = () => sizeFor(tooMany, rate);
    expect(beyond).toThrow(RangeError);
    expect(beyond).toThrow(`capacity is ${tooMany}; at ${bits.toFixed(2)} bits a key, just under 4 GiB hold `);
    expect(beyond).toThrow(/hold \d+\. Use several filters/);
    const told = Number(/hold (\d+)/.exec(String(errorOf(beyond)))![1]);
    expect(sizeFor(told, rate).lines).toBeLessThanOrEqual(MAX_LINES);
    expect(() => sizeFor(told + 100, rate)).toThrow(RangeError);
  });
});

function errorOf(act: () => unknown): unknown {
  try {
    return act();
  } catch (error) {
    return error;
  }
}

describe("sizeByHand", () => {
  it("takes bits per key and hashes as they are", () => {
    const size = sizeByHand(1000, 10, 4);
    expect(size).toMatchObject({ hashes: 4, lines: 20, byteLength: 64 + 20 * 64, bitsPerKey: 10.24 });
    expect(size.errorRate).toBe(errorRateAt(1000, 20, 4));
  });

  it.each(table)("finds the best k at %i bits a key", (bitsPerKey, percents) => {
    const best = 4 + percents.indexOf(Math.min(...percents));
    expect(sizeByHand(1_024_000, bitsPerKey).hashes).toBe(best);
  });

  it.each([
    [0, "bitsPerKey is 0"],
    [0.4, "bitsPerKey is 0.4"],
    [1025, "bitsPerKey is 1025"],
    [Number.NaN, "bitsPerKey is NaN"],
    ["10", 'bitsPerKey is "10"'],
  ])("refuses %o bits a key", (bitsPerKey, message) => {
    expect(() => sizeByHand(1000, bitsPerKey as number)).toThrow(RangeError);
    expect(() => sizeByHand(1000, bitsPerKey as number)).toThrow(message);
  });

  it.each([0, -1, 1.5, 33, Number.NaN, "6"])("refuses %o hashes", (hashes) => {
    expect(() => sizeByHand(1000, 10, hashes as number)).toThrow(RangeError);
    expect(() => sizeByHand(1000, 10, hashes as number)).toThrow(/^hashes is .*from 1 to 32/);
  });
});

describe("capacityAt", () => {
  it("is the inverse of errorRateAt", () => {
    for (const lines of [1, 20, 1000, 1_000_000]) {
      for (const hashes of [1, 3, 6, 9, 12, 20]) {
        for (const rate of [0.5, 0.1, 0.01, 1e-3, 1e-6]) {
          const keys = capacityAt(rate, lines, hashes);
          expect(errorRateAt(keys, lines, hashes)).toBeLessThanOrEqual(rate);
          expect(errorRateAt(keys + 1, lines, hashes)).toBeGreaterThan(rate);
        }
      }
    }
  });

  it("gives at least the capacity that a filter was sized for", () => {
    for (const rate of [0.1, 0.01, 1e-4, 1e-7]) {
      const { lines, hashes } = sizeFor(100_000, rate);
      expect(capacityAt(rate, lines, hashes)).toBeGreaterThanOrEqual(100_000);
      expect(capacityAt(rate, lines, hashes)).toBeLessThan(102_000);
    }
  });

  it("refuses what is no rate", () => {
    for (const rate of [0, 1, -0.1, 0.6, 1e-10, Number.NaN, "1%"]) {
      expect(() => capacityAt(rate as number, 10, 6)).toThrow(RangeError);
      expect(() => capacityAt(rate as number, 10, 6)).toThrow(/^errorRate is /);
    }
  });
});

describe("a filter", () => {
  it("has the geometry that its size says", () => {
    for (const errorRate of [0.1, 0.01, 1e-5]) {
      const size = sizeFor(12_345, errorRate);
      const filter = new BloomFilter({ capacity: 12_345, errorRate });
      expect(filter).toMatchObject({ capacity: 12_345, errorRate, lines: size.lines, hashes: size.hashes });
      expect(filter.byteLength).toBe(64 * size.lines);
      expect(filter.bitsPerKey).toBeCloseTo(size.bitsPerKey, 10);
      expect(filter.toBytes().length).toBe(size.byteLength);
    }
  });

  it("takes bits per key and hashes by hand", () => {
    const filter = new BloomFilter({ capacity: 1000, bitsPerKey: 10, hashes: 4 });
    expect(filter).toMatchObject({ lines: 20, hashes: 4, bitsPerKey: 10.24 });
    expect(filter.errorRate).toBe(errorRateAt(1000, 20, 4));
    expect(new BloomFilter({ capacity: 1000, bitsPerKey: 10 }).hashes).toBe(sizeByHand(1000, 10).hashes);
  });

  it("may be just under 4 GiB large, and reaches its last line", () => {
    // Memory that nobody touched costs nothing yet: this takes a few pages.
    const { bitsPerKey } = sizeFor(100_000_000, 0.01);
    const capacity = Math.floor((0.99999 * MAX_LINES * 512) / bitsPerKey);
    const filter = new BloomFilter({ capacity, engine: "wasm" });
    expect(filter.byteLength).toBeGreaterThan(0.999 * 2 ** 32);
    const last = { seed: 0n, h1: 2n ** 64n - 1n, h2: 0x0123_4567_89ab_cdefn };
    expect(filter.hasHash(last)).toBe(false);
    expect(filter.addHash(last)).toBe(true);
    expect(filter.hasHash(last)).toBe(true);
    filter.addMany(["a", "b", "c"]);
    expect(filter.hasMany(["a", "b", "c", "d"])).toEqual(Uint8Array.of(1, 1, 1, 0));
    expect(filter.count).toBe(4);
    filter.dispose();
  });

  it("is below 2 GiB on the JS engine", () => {
    const large = () => new BloomFilter({ capacity: 2_000_000_000, engine: "js" });
    expect(large).toThrow(expect.objectContaining({ code: "ERR_MEMORY" }));
    expect(large).toThrow(/No memory for 2492852224 bytes\. Dispose of other filters, or lower capacity/);
    expect(errorOf(large)).toHaveProperty("cause.message", "The JS engine has no more than 2 GiB.");
  });
});
