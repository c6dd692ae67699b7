import { BloomlineError, type Key, openFilter, TieredFilter } from "bloomline";
import { describe, expect, it } from "vitest";
import { rewritten } from "../support/header.js";
import { pack } from "../support/packed.js";
import { range } from "../support/random.js";

const ones = (answers: Uint8Array) => answers.reduce((sum, answer) => sum + answer, 0);
const isHot = (key: Key) => typeof key === "number" && key % 10 === 0;
const tiers = { hot: { capacity: 10_000, errorRate: 1e-5 }, cold: { capacity: 90_000, errorRate: 0.05 } };

describe.each(["wasm", "js"] as const)("on %s", (engine) => {
  it("asks hot keys at one rate and cold keys at another", () => {
    const filter = new TieredFilter({ ...tiers, isHot, engine });
    filter.addMany(range(0, 100_000));
    expect(filter.hot.count + filter.cold.count).toBe(filter.count);
    expect(Math.abs(filter.hot.count - 10_000)).toBeLessThan(100);
    expect(filter.hasMany(range(0, 100_000)).includes(0)).toBe(false);
    const strangers = range(2 ** 31, 2 ** 31 + 200_000);
    const wrongHot = ones(filter.hasMany(strangers.filter(isHot)));
    const wrongCold = ones(filter.hasMany(strangers.filter((key) => !isHot(key))));
    expect(wrongHot).toBeLessThanOrEqual(5);
    expect(wrongCold / 180_000).toBeLessThanOrEqual(0.05);
    expect(wrongCold / 180_000).toBeGreaterThan(0.045);
  });

  it("puts a key where it is told, and asks both", () => {
    const filter = new TieredFilter({ ...tiers, engine });
    expect(filter.add("a", "hot")).toBe(true);
    expect(filter.add("b")).toBe(true);
    expect(filter.addMany(["c", "d"], "hot")).toBe(2);
    expect(filter.addMany(["e"])).toBe(1);
    expect(filter.addHash(filter.hash("f"), "hot")).toBe(true);
    expect(filter.hot.hasMany(["a", "b", "c", "d", "e", "f"])).toEqual(Uint8Array.of(1, 0, 1, 1, 0, 1));
    expect(filter.cold.hasMany(["a", "b", "c", "d", "e", "f"])).toEqual(Uint8Array.of(0, 1, 0, 0, 1, 0));
    expect(filter.hasMany(["a", "b", "c", "d", "e", "f", "g"])).toEqual(Uint8Array.of(1, 1, 1, 1, 1, 1, 0));
    expect(["a", "e", "f", "g"].map((key) => filter.has(key))).toEqual([true, true, true, false]);
    expect(filter.count).toBe(6);
  });

  it("gives the same for one key and for many, in any form", () => {
    const filter = new TieredFilter({
      ...tiers,
      isHot: (key) => typeof key !== "string" && Number(key) % 2 === 0,
      engine,
    });
    const keys = [...range(0, 2000), ...Array.from({ length: 2000 }, (_, i) => `key ${i}`)];
    filter.addMany(new Set(keys));
    const all = [...keys, ...range(5000, 9000)];
    expect([...filter.hasMany(all)]).toEqual(all.map((key) => Number(filter.has(key))));
    expect(filter.hasMany(pack(["key 1", "no"]))).toEqual(Uint8Array.of(1, 0));
    const copy = TieredFilter.fromBytes(filter.toBytes(), { engine, isHot: () => true });
    expect(copy.has("key 5")).toBe(false);
    // Without isHot both are asked: nothing is lost.
    expect((openFilter(filter.toBytes(), { engine }) as TieredFilter).hasMany(keys).includes(0)).toBe(false);
    expect(filter.clone().toBytes()).toEqual(filter.toBytes());
    filter.clear();
    expect(filter.count).toBe(0);
  });
});

describe("what it refuses", () => {
  const told = new TieredFilter({ ...tiers, isHot });

  it.each([
    [{}, /^hot is undefined; it must be an object such as /],
    [{ hot: tiers.hot }, /^cold is undefined; it must be an object such as /],
    [{ ...tiers, isHot: 1 }, /^isHot is 1; it must be a function/],
    [{ ...tiers, shared: true }, /^shared is true/],
    [{ ...tiers, hot: { capacity: 0 } }, /^capacity is 0/],
  ])("%o", (options, message) => {
    expect(() => new TieredFilter(options as never)).toThrow(message);
  });

  it("a tier named twice, an unknown one, and a hash without one", () => {
    expect(() => told.add("a", "hot")).toThrow(/isHot says already where a key goes/);
    expect(() => told.addMany(["a"], "cold")).toThrow(/isHot says already/);
    expect(() => told.addHash(told.hash("a"))).toThrow(expect.objectContaining({ code: "ERR_INCOMPATIBLE" }));
    expect(() => new TieredFilter(tiers).add("a", "warm" as never)).toThrow(
      /tier is "warm"; it must be "hot" or "cold"/,
    );
    expect(() => told.has(1.5)).toThrow(RangeError);
    expect(() => told.addMany([1, 1.5])).toThrow(/keys\[1\] is 1.5/);
    expect(told.count).toBe(0);
  });

  it("bytes that were changed, and headers that no bloomline writes", () => {
    const filter = new TieredFilter({ hot: { capacity: 10 }, cold: { capacity: 20 } });
    const good = filter.toBytes();
    for (let at = 0; at < good.length; at++) {
      const bad = Uint8Array.from(good);
      bad[at]! ^= 8;
      expect(() => openFilter(bad), `byte ${at}`).toThrow(BloomlineError);
    }
    for (const fields of [
      { ones: 1n },
      { capacity: 31n },
      { errorRate: 0.5 },
      { seed: 1n },
      { reserved: 1 },
      { hashes: 2 },
    ]) {
      expect(() => openFilter(rewritten(good, fields))).toThrow(expect.objectContaining({ code: "ERR_CORRUPT" }));
    }
  });
});
