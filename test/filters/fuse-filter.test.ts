import { FuseFilter } from "bloomline";
import { describe, expect, it } from "vitest";
import { engines } from "../support/engines.js";
import { range } from "../support/random.js";
import { keyOf } from "../support/unhash.js";

const roundsOf = (filter: FuseFilter) => filter.toBytes()[14]!;
const hits = (answers: Uint8Array) => answers.reduce((sum, answer) => sum + answer, 0);

describe("the rate", () => {
  it.each([
    [8, 3, 1_000_000],
    [8, 4, 1_000_000],
    [8, 3, 10_000],
    [16, 3, 100_000],
    [16, 4, 1_000],
  ] as const)("of %d bits and %d slots is 2^-bits with %d keys", (bits, hashes, n) => {
    const filter = FuseFilter.from(range(0, n), { bits, hashes, seed: 1 });
    expect(hits(filter.hasMany(range(0, n)))).toBe(n);
    const asked = 1_000_000;
    const rate = hits(filter.hasMany(range(n, n + asked))) / asked;
    const sigma = Math.sqrt((2 ** -bits * (1 - 2 ** -bits)) / asked);
    expect(Math.abs(rate - 2 ** -bits)).toBeLessThan(4 * sigma);
    expect(filter.errorRate).toBe(2 ** -bits);
    expect(filter.bits).toBe(bits);
  });

  it("of 32 bits is too low to be met in a million questions", () => {
    const filter = FuseFilter.from(range(0, 100_000), { bits: 32 });
    expect(hits(filter.hasMany(range(0, 100_000)))).toBe(100_000);
    expect(hits(filter.hasMany(range(100_000, 1_100_000)))).toBe(0);
  });
});

describe("the size", () => {
  it.each([1_000_000, 1_300_001, 2_000_000])("is at most 9.1 bits a key with %d keys", (n) => {
    const filter = FuseFilter.from(range(0, n));
    expect(filter.count).toBe(n);
    expect((filter.toBytes().length * 8) / n).toBeLessThan(9.1);
    expect(filter.bitsPerKey).toBeGreaterThan(9);
  });

  it("is 4 % less with four slots", () => {
    const filter = FuseFilter.from(range(0, 1_000_000), { hashes: 4 });
    expect(filter.bitsPerKey).toBeGreaterThan(8.6);
    expect(filter.bitsPerKey).toBeLessThan(8.7);
  });

  it("is proportional to the bits", () => {
    const [eight, sixteen, thirtyTwo] = ([8, 16, 32] as const).map(
      (bits) => FuseFilter.from(range(0, 1e5), { bits }).lines,
    );
    expect(sixteen! / eight!).toBeCloseTo(2, 3);
    expect(thirtyTwo! / eight!).toBeCloseTo(4, 3);
  });
});

it("holds ten million keys", () => {
  const keys = range(0, 10_000_000);
  const filter = FuseFilter.from(keys);
  expect(filter.count).toBe(10_000_000);
  expect(filter.hasMany(keys).includes(0)).toBe(false);
  expect(filter.bitsPerKey).toBeLessThan(9.05);
  const rate = hits(filter.hasMany(range(4_000_000_000, 4_001_000_000))) / 1_000_000;
  expect(Math.abs(rate - 1 / 256)).toBeLessThan(4 * Math.sqrt(1 / 256 / 1e6));
});

it("holds every small number of keys", () => {
  for (let n = 0; n <= 300; n++) {
    for (const hashes of [3, 4] as const) {
      const filter = FuseFilter.from(range(0, n), { hashes, seed: n });
      expect(filter.count).toBe(n);
      expect(filter.hasMany(range(0, n)).includes(0)).toBe(false);
    }
  }
});

describe.each(engines)("keys that were chosen by an adversary, on $name", ({ options }) => {
  it("have the hash they were made for", () => {
    const filter = FuseFilter.from([], { seed: 3, ...options });
    expect(filter.hash(keyOf(0x123456789abcdefn, 42n, 3n))).toEqual({ seed: 3n, h1: 0x123456789abcdefn, h2: 42n });
  });

  it("may share their h1: then they are one", () => {
    const keys = Array.from({ length: 1000 }, (_, i) => keyOf(77n, BigInt(i)));
    const filter = FuseFilter.from([...keys, "other"], options);
    expect(filter.count).toBe(2);
    expect(filter.hasMany(keys).includes(0)).toBe(false);
  });

  it("may all come to the same slots: then their hashes are remixed", () => {
    // Bits 31 and 36 to 44 place no key, with segments of up to 2^13 slots and a few thousand of these.
    const keys = Array.from({ length: 500 }, (_, i) => keyOf((1n << 60n) + (BigInt(i) << 36n), 0n));
    const filter = FuseFilter.from(keys, options);
    expect(roundsOf(filter)).toBeGreaterThan(0);
    expect(filter.count).toBe(500);
    expect(filter.hasMany(keys).includes(0)).toBe(false);
    expect(FuseFilter.fromBytes(filter.toBytes()).hasMany(keys).includes(0)).toBe(false);
  });
});

it("tries again until peeling succeeds, which for a few keys takes a few rounds now and then", () => {
  const rounds = new Set<number>();
  for (let seed = 0; seed < 400; seed++) {
    const filter = FuseFilter.from(range(0, 20), { seed });
    rounds.add(roundsOf(filter));
    expect(filter.hasMany(range(0, 20)).includes(0)).toBe(false);
  }
  expect([...rounds].some((n) => n > 0)).toBe(true);
  expect(Math.max(...rounds)).toBeLessThan(10);
});

describe("options", () => {
  it.each([
    [{ bits: 12 }, /bits is 12; it must be 8, 16 or 32/],
    [{ hashes: 5 }, /hashes is 5; it must be 3 or 4/],
    [{ seed: -1 }, /seed is -1/],
    [{ engine: "gpu" }, /engine is "gpu"/],
    [null, /options is null/],
  ])("%o is refused", (options, message) => {
    expect(() => FuseFilter.from(["a"], options as never)).toThrow(message);
  });

  it("a single key is not many", () => {
    expect(() => FuseFilter.from("key" as never)).toThrow(/must be an iterable/);
  });
});
