import { BloomFilter, type Key } from "bloomline";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { engines } from "../support/engines.js";
import { anyKey } from "../support/keys.js";
import { Model } from "../support/model.js";

function compare(filter: BloomFilter, model: Model): void {
  // Buffers compare in one go; toEqual goes byte by byte.
  expect(Buffer.compare(filter.toBytes().subarray(64), model.bits)).toBe(0);
}

describe.each(engines)("every bit, predicted by the model, on $name", ({ options }) => {
  it.each(Array.from({ length: 32 }, (_, i) => i + 1))("with %i hashes", (hashes) => {
    const filter = new BloomFilter({ capacity: 300, bitsPerKey: 20, hashes, seed: hashes, ...options });
    const model = new Model(filter);
    for (let i = 0; i < 150; i++) expect(filter.add(i)).toBe(model.add(i));
    compare(filter, model);
    const keys = Array.from({ length: 150 }, (_, i) => `key ${i}`);
    expect(filter.addMany(keys)).toBe(keys.filter((key) => model.add(key)).length);
    compare(filter, model);
    for (let i = 100; i < 500; i++) expect(filter.has(i)).toBe(model.has(i));
    const strangers = Array.from({ length: 300 }, (_, i) => `key ${i}`);
    expect([...filter.hasMany(strangers)]).toEqual(strangers.map((key) => Number(model.has(key))));
  });

  it.each([1, 2, 3, 5, 64, 1000, 4097])("with %i lines", (lines) => {
    const filter = new BloomFilter({ capacity: lines * 32, bitsPerKey: 16, seed: 77, ...options });
    expect(filter.lines).toBe(lines);
    const model = new Model(filter);
    for (let i = 0; i < 2000; i++) expect(filter.add(i)).toBe(model.add(i));
    compare(filter, model);
  });

  it("for any keys under any seed", () => {
    const geometry = fc.record({ capacity: fc.integer({ min: 1, max: 200 }), seed: fc.bigInt(0n, 2n ** 64n - 1n) });
    fc.assert(
      fc.property(geometry, fc.array(anyKey, { maxLength: 20 }), (geometry, keys: Key[]) => {
        const filter = new BloomFilter({ ...geometry, errorRate: 1e-3, ...options });
        const model = new Model(filter);
        for (const key of keys) expect(filter.add(key)).toBe(model.add(key));
        compare(filter, model);
        for (const key of keys) expect(filter.hash(key)).toEqual({ seed: geometry.seed, ...model.hash(key) });
        filter.dispose();
      }),
    );
  });

  it("takes the extremes of a hash to the first and the last line", () => {
    const filter = new BloomFilter({ capacity: 10_000, ...options });
    const model = new Model(filter);
    const last = 2n ** 64n - 1n;
    for (const h1 of [0n, 2n ** 32n - 1n, last]) {
      for (const h2 of [0n, last]) filter.addHash({ seed: 0n, h1, h2 });
    }
    const expected = new Set([0n, last].flatMap((h1) => [0n, last].flatMap((h2) => model.positions({ h1, h2 }))));
    expect(filter.fillRatio * filter.lines * 512).toBeCloseTo(expected.size, 6);
    const bytes = filter.toBytes().subarray(64);
    for (const position of expected) expect((bytes[position >> 3]! >> (position & 7)) & 1).toBe(1);
    expect(filter.hasHash({ seed: 0n, h1: last, h2: last })).toBe(true);
    expect(filter.hasHash({ seed: 0n, h1: last >> 1n, h2: last })).toBe(false);
  });
});
