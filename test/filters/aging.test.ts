import { AgingBloomFilter, BloomFilter, BloomlineError, openFilter } from "bloomline";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { rewritten } from "../support/header.js";
import { range } from "../support/random.js";

const engines = ["wasm", "js"] as const;

describe.each(engines)("on %s", (engine) => {
  it("remembers a key for at least one generation of keys, and at most two", () => {
    const filter = new AgingBloomFilter({ capacity: 1000, errorRate: 1e-6, engine });
    const memory = filter.byteLength;
    for (let i = 0; i < 10_000; i++) {
      expect(filter.add(i)).toBe(true);
      expect(filter.has(i)).toBe(true);
      if (i >= 1000) expect(filter.has(i - 999)).toBe(true);
      if (i >= 2000) expect(filter.has(i - 2000)).toBe(false);
    }
    expect(filter.byteLength).toBe(memory);
    expect(filter.count).toBeLessThanOrEqual(2000);
  });

  it("gives the same in batches", () => {
    const one = new AgingBloomFilter({ capacity: 300, clock: () => 0, engine });
    const many = new AgingBloomFilter({ capacity: 300, clock: () => 0, engine });
    const keys = Array.from({ length: 5000 }, (_, i) => `key ${(i * 7) % 1300}`);
    let changed = 0;
    for (const key of keys) changed += Number(one.add(key));
    expect(many.addMany(keys)).toBe(changed);
    expect(many.toBytes()).toEqual(one.toBytes());
    expect([...many.hasMany(keys)]).toEqual(keys.map((key) => Number(one.has(key))));
    const strangers = range(0, 3000);
    expect([...many.hasMany(strangers)]).toEqual([...strangers].map((key) => Number(one.has(key))));
  });

  it("keeps its promise by the clock, whatever happens", () => {
    const maxAgeMs = 100;
    const step = fc.oneof(
      fc.record({ do: fc.constant("add" as const), key: fc.nat(40) }),
      fc.record({ do: fc.constant("wait" as const), ms: fc.integer({ min: 0, max: 130 }) }),
      fc.record({ do: fc.constantFrom("save" as const, "rotate" as const, "clear" as const, "ask" as const) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        let now = 1_000_000;
        const clock = () => now;
        // Room for all keys, so that only time and rotate() end a generation.
        let filter = new AgingBloomFilter({ capacity: 1000, errorRate: 1e-8, maxAgeMs, clock, engine });
        /** When a key was added last, and how many generations were ended by hand since. */
        const model = new Map<number, { at: number; rotations: number }>();
        for (const step of steps) {
          if (step.do === "add") {
            filter.add(step.key);
            model.set(step.key, { at: now, rotations: 0 });
          } else if (step.do === "wait") {
            now += step.ms;
          } else if (step.do === "rotate") {
            filter.rotate();
            for (const entry of model.values()) entry.rotations++;
          } else if (step.do === "clear") {
            filter.clear();
            model.clear();
          } else if (step.do === "save") {
            filter = AgingBloomFilter.fromBytes(filter.toBytes(), { clock, engine });
          } else {
            for (const [key, { at, rotations }] of model) {
              const age = now - at;
              if (rotations === 0 && age < maxAgeMs) expect(filter.has(key)).toBe(true);
              if (rotations >= 2 || age >= 2 * maxAgeMs) expect(filter.has(key)).toBe(false);
            }
            for (let key = 100; key < 110; key++) expect(filter.has(key)).toBe(false);
          }
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe("time", () => {
  it("passes while a filter is saved", () => {
    let now = 0;
    const clock = () => now;
    const filter = new AgingBloomFilter({ capacity: 100, maxAgeMs: 1000, clock });
    filter.add("key");
    const bytes = filter.toBytes();
    now = 1500;
    expect(AgingBloomFilter.fromBytes(bytes, { clock }).has("key")).toBe(true);
    now = 2000;
    expect(AgingBloomFilter.fromBytes(bytes, { clock }).has("key")).toBe(false);
    // By the real clock it is long over.
    expect((openFilter(bytes) as AgingBloomFilter).has("key")).toBe(false);
  });

  it("ends a generation on the dot", () => {
    let now = 0;
    const filter = new AgingBloomFilter({ capacity: 100, maxAgeMs: 10, clock: () => now });
    filter.add("first");
    for (now = 0; now < 20; now++) expect(filter.has("first")).toBe(true);
    expect(filter.has("first")).toBe(false);
    expect(filter.hasMany(["first"])).toEqual(Uint8Array.of(0));
    expect(filter.hasHash(filter.hash("first"))).toBe(false);
  });
});

describe("a clock", () => {
  it("that is set back begins the generation anew, rather than let it last until it is where it was", () => {
    let now = 1_000_000;
    const filter = new AgingBloomFilter({ capacity: 100, maxAgeMs: 10, clock: () => now });
    filter.add("key");
    now = 500;
    expect(filter.has("key")).toBe(true);
    now = 519;
    expect(filter.has("key")).toBe(true);
    now = 520;
    expect(filter.has("key")).toBe(false);
  });

  it("may ask another filter", () => {
    const log = new AgingBloomFilter({ capacity: 100, errorRate: 1e-8 });
    const ticks = Array.from({ length: 50 }, (_, i) => `tick ${i}`);
    const clock = () => log.addMany(ticks);
    const filter = new AgingBloomFilter({ capacity: 100, errorRate: 1e-8, maxAgeMs: 10, clock });
    filter.add("key");
    filter.addHash(filter.hash("hashed"));
    filter.addMany(["one", "of many"]);
    expect(filter.hasMany(["key", "hashed", "one", "of many"])).toEqual(new Uint8Array(4).fill(1));
    expect(filter.hasMany(ticks)).toEqual(new Uint8Array(50));
  });

  it("may ask another filter, of as many keys as it likes, in the middle of a batch", () => {
    // As large as a generation and made next to it, so that both stage their keys in one place.
    let other: BloomFilter;
    const numbers = Array.from({ length: 2000 }, (_, i) => 1e6 + i);
    const texts = numbers.map((i) => `text ${i}`);
    const bytes = new TextEncoder().encode(texts.join(""));
    const packed = { bytes, offsets: Uint32Array.of(7, 20, 30) };
    const questions = [
      () => other.hasMany(numbers),
      () => other.hasMany(texts),
      () => other.hasMany(packed),
      () => other.has("x".repeat(500_000)),
      () => other.toBytes(),
    ];
    const keys = Array.from({ length: 3000 }, (_, i) => i);
    const batches = [keys, BigUint64Array.from(keys, BigInt), [...keys, "text"], ["text", ...keys], keys.map(String)];
    for (const question of questions) {
      for (const batch of batches) {
        const clock = () => {
          question();
          return 0;
        };
        other = new BloomFilter({ capacity: 5000, errorRate: 1e-8 });
        const filter = new AgingBloomFilter({ capacity: 5000, errorRate: 1e-8, maxAgeMs: 10, clock });
        filter.addMany(batch);
        expect(filter.hasMany(batch)).toEqual(new Uint8Array(batch.length).fill(1));
        expect(filter.hasMany(numbers).includes(1)).toBe(false);
        filter.dispose();
        other.dispose();
      }
    }
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, undefined, "5"])("that says %o costs no key", (time) => {
    let now: unknown = 0;
    const filter = new AgingBloomFilter({ capacity: 100, maxAgeMs: 10, clock: () => now as number });
    filter.add("key");
    now = time;
    for (let i = 0; i < 3; i++)
      expect(() => filter.has("key")).toThrow(/^clock\(\) is .*; it must be a number of millisec/);
    now = 9;
    expect(filter.has("key")).toBe(true);
  });
});

describe("the error rate", () => {
  it("of two full generations together is at most what was asked for", () => {
    const filter = new AgingBloomFilter({ capacity: 200_000, errorRate: 0.01, seed: 21 });
    filter.addMany(range(0, 399_999));
    const asked = 2_000_000;
    let wrong = 0;
    for (const answer of filter.hasMany(range(2 ** 31, 2 ** 31 + asked))) wrong += answer;
    expect(wrong / asked).toBeLessThanOrEqual(0.01);
    expect(wrong / asked).toBeGreaterThan(0.009);
    expect(Math.abs(filter.count / 400_000 - 1)).toBeLessThan(0.01);
  });
});

describe("what it refuses", () => {
  it.each([
    [{ capacity: 10, maxKeys: 11 }, /^maxKeys is 11; it must be a whole number from 1 to capacity, 10/],
    [{ capacity: 10, maxKeys: 0 }, /^maxKeys is 0/],
    [{ capacity: 10, maxAgeMs: 0 }, /^maxAgeMs is 0/],
    [{ capacity: 10, maxAgeMs: Number.NaN }, /^maxAgeMs is NaN/],
    [{ capacity: 10, clock: 5 }, /^clock is 5; it must be a function/],
    [{ capacity: 10, errorRate: 1e-9 }, /^errorRate is 1e-9; it must be a number from 2e-9 to 0.5/],
    [{ capacity: 10, shared: true }, /^shared is true/],
    [{}, /^capacity is undefined/],
  ])("%o", (options, message) => {
    expect(() => new AgingBloomFilter(options as never)).toThrow(message);
  });

  it("bytes that were changed, and headers that no bloomline writes", () => {
    const filter = new AgingBloomFilter({ capacity: 50, maxAgeMs: 1000 });
    filter.addMany(range(0, 70));
    const good = filter.toBytes();
    for (let at = 0; at < good.length; at++) {
      const bad = Uint8Array.from(good);
      bad[at]! ^= 1;
      expect(() => openFilter(bad), `byte ${at}`).toThrow(BloomlineError);
    }
    for (const fields of [
      { ones: 51n },
      { capacity: 51n },
      { errorRate: 0.02 },
      { seed: 1n },
      { reserved: 1 },
      { hashes: 2 },
    ]) {
      expect(() => openFilter(rewritten(good, fields))).toThrow(expect.objectContaining({ code: "ERR_CORRUPT" }));
    }
    expect(openFilter(good).toBytes()).toEqual(good);
  });
});
