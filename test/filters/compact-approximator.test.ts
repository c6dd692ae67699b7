import { approximatorRateAt, CompactApproximator, openFilter } from "bloomline";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { engines } from "../support/engines.js";
import { bytesOf, murmur3 } from "../support/model.js";

/** The approximator, written a second time from its description. */
class Model {
  readonly cells: Uint16Array;

  constructor(
    cells: number,
    private readonly hashes: number,
    private readonly seed: bigint,
  ) {
    this.cells = new Uint16Array(cells);
  }

  positions(key: string | number): number[] {
    let { h1, h2 } = murmur3(bytesOf(key), this.seed);
    return Array.from({ length: this.hashes }, (_, i) => {
      if (i > 0 && i % 4 === 0) [h1, h2] = [remix(h1), remix(h2)];
      const quarter = [h1 >> 32n, h1 & 0xffffffffn, h2 >> 32n, h2 & 0xffffffffn][i % 4]!;
      return Number((quarter * BigInt(this.cells.length)) >> 32n);
    });
  }

  put(key: string | number, value: number): void {
    for (const at of this.positions(key)) this.cells[at] = Math.max(this.cells[at]!, value);
  }

  get(key: string | number): number {
    return Math.min(...this.positions(key).map((at) => this.cells[at]!));
  }
}

function remix(x: bigint): bigint {
  x = BigInt.asUintN(64, (x ^ (x >> 32n)) * 0x9e3779b97f4a7c15n);
  return x ^ (x >> 29n);
}

describe.each(engines)("on $name", ({ options }) => {
  it.each([8, 16] as const)("has the cells of %d bits that the model has, and never reads too low", (valueBits) => {
    const top = 2 ** valueBits - 1;
    const puts = fc.array(fc.tuple(fc.integer({ max: 60, min: 0 }), fc.nat(top)), { maxLength: 200 });
    fc.assert(
      fc.property(puts, fc.constantFrom(0.3, 0.01, 1e-6), (list, errorRate) => {
        const filter = new CompactApproximator({ capacity: 50, errorRate, valueBits, seed: 7, ...options });
        const model = new Model(filter.cells, filter.hashes, 7n);
        const most = new Map<number, number>();
        for (const [key, value] of list) {
          const before = model.cells.slice();
          model.put(key, value);
          expect(filter.put(key, value)).toBe(model.cells.some((cell, i) => cell !== before[i]));
          most.set(key, Math.max(most.get(key) ?? 0, value));
        }
        for (let key = 0; key < 100; key++) {
          expect(filter.get(key)).toBe(model.get(key));
          expect(filter.get(key)).toBeGreaterThanOrEqual(most.get(key) ?? 0);
          expect(filter.has(key)).toBe(filter.get(key) > 0);
        }
        expect((openFilter(filter.toBytes(), options) as CompactApproximator).equals(filter)).toBe(true);
      }),
      { numRuns: 40, seed: 3 },
    );
  });

  it("keeps values at their limits", () => {
    for (const valueBits of [8, 16] as const) {
      const filter = new CompactApproximator({ capacity: 10, valueBits, ...options });
      const top = 2 ** valueBits - 1;
      expect(filter.put("top", top)).toBe(true);
      expect(filter.put("top", top)).toBe(false);
      expect(filter.put("nothing", 0)).toBe(false);
      expect(filter.get("top")).toBe(top);
      for (const bad of [-1, top + 1, 0.5, Number.NaN]) expect(() => filter.put("a", bad)).toThrow(/value is/);
      filter.clear();
      expect(filter.get("top")).toBe(0);
    }
  });
});

it("reads too high as often as computed, at every height", () => {
  const n = 100_000;
  const filter = new CompactApproximator({ capacity: n, errorRate: 0.01, seed: 11 });
  // Key i is worth 1 to 200, evenly.
  for (let i = 0; i < n; i++) filter.put(i, (i % 200) + 1);
  const asked = 400_000;
  const above = new Uint32Array(257);
  for (let i = 0; i < asked; i++) above[filter.get(n + i)]!++;
  for (let v = 255; v >= 0; v--) above[v]! += above[v + 1]!;
  for (const v of [1, 20, 50, 100, 150, 190]) {
    const worth = (n * (201 - v)) / 200;
    const expected = filter.rateAt(worth);
    expect(approximatorRateAt(worth, filter.cells, filter.hashes)).toBe(expected);
    const sigma = Math.sqrt(expected / asked + (0.01 * expected) ** 2);
    expect(Math.abs(above[v]! / asked - expected)).toBeLessThan(4 * sigma);
  }
  expect(filter.rateAt(n)).toBeLessThan(0.01);
  // Members read too high more seldom than strangers read anything.
  let tooHigh = 0;
  for (let i = 0; i < n; i++) {
    const value = filter.get(i);
    expect(value).toBeGreaterThanOrEqual((i % 200) + 1);
    if (value > (i % 200) + 1) tooHigh++;
  }
  expect(tooHigh / n).toBeLessThan(0.01);
});

it("gives the same bytes on every engine", () => {
  const [first, ...others] = engines.map(({ options }) => {
    const filter = new CompactApproximator({
      capacity: 1000,
      errorRate: 1e-5,
      valueBits: 16,
      seed: 2n ** 64n - 1n,
      ...options,
    });
    for (let i = 0; i < 1000; i++) filter.put(`key ${i}`, (i * 65) % 65_536);
    return filter.toBytes();
  });
  for (const other of others) expect(other).toEqual(first);
});

it("keeps the lowest rate there is, and says what no number of keys is", () => {
  const filter = new CompactApproximator({ capacity: 100, errorRate: 1e-9 });
  for (let i = 0; i < 100; i++) filter.put(i, 255);
  expect(filter.rateAt(100)).toBeLessThan(1e-9);
  for (let i = 100; i < 100_000; i++) expect(filter.get(i)).toBe(0);
  for (const keys of [-1, Number.NaN, "5"]) expect(() => filter.rateAt(keys as number)).toThrow(/^keys is /);
});

it.each([
  [{ capacity: 0 }, /capacity is 0/],
  [{ capacity: 10, errorRate: 2 }, /errorRate is 2/],
  [{ capacity: 10, valueBits: 12 }, /valueBits is 12; it must be 8 or 16/],
  [{ capacity: 1e12 }, /do not fit in 4 GiB/],
])("%o is refused", (options, message) => {
  expect(() => new CompactApproximator(options as never)).toThrow(message);
});
