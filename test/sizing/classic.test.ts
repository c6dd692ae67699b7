import { classicErrorRateAt, classicSizeFor } from "bloomline";
import { describe, expect, it } from "vitest";

describe("classic sizing", () => {
  it.each([
    [0.03, 7.3, 5],
    [0.01, 9.59, 7],
    [0.001, 14.38, 10],
    [0.0001, 19.17, 13],
  ])("at %d needs %d bits a key and k = %i", (rate, bitsPerKey, k) => {
    const size = classicSizeFor(1_000_000, rate);
    expect(size.bitsPerKey).toBeCloseTo(bitsPerKey, 2);
    expect(size.hashes).toBe(k);
    expect(size.bits).toBe(Math.ceil(size.bits));
    expect(size.bitsPerKey).toBe(size.bits / 1_000_000);
    // Rounding k to a whole number costs up to half a percent of the rate.
    expect(classicErrorRateAt(1_000_000, size.bits, size.hashes)).toBeLessThan(rate * 1.006);
  });

  it.each([
    [8, 6, 2.158],
    [10, 7, 0.819],
    [12, 8, 0.314],
    [14, 10, 0.12],
    [16, 11, 0.0459],
    [20, 14, 0.0067],
  ])("gives at %i bits a key and k = %i a rate of %d %%", (bitsPerKey, k, percent) => {
    expect(Math.abs(100 * classicErrorRateAt(1000, bitsPerKey * 1000, k) - percent)).toBeLessThan(0.0006);
  });

  it("is the textbook's for Guava's thousand keys at 3 %", () => {
    expect(classicSizeFor(1000, 0.03)).toMatchObject({ bits: 7299, hashes: 5 });
    expect(classicSizeFor(1, 0.5)).toMatchObject({ bits: 2, hashes: 1 });
  });

  it("refuses what the other sizes refuse", () => {
    for (const capacity of [0, -1, 1.5, Number.NaN, 2 ** 53]) {
      expect(() => classicSizeFor(capacity, 0.01)).toThrow(/^capacity is /);
    }
    expect(() => classicSizeFor(10, 1)).toThrow(/^errorRate is 1;/);
  });
});
