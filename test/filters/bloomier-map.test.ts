import { BloomierMap, type Key, openFilter } from "bloomline";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { engines } from "../support/engines.js";
import { anyKey } from "../support/keys.js";
import { bytesOf } from "../support/model.js";
import { range } from "../support/random.js";
import { keyOf } from "../support/unhash.js";

describe.each(engines)("on $name", ({ options }) => {
  it("is a Map to every key it was built with", () => {
    const entries = fc.uniqueArray(fc.tuple(anyKey, fc.nat(255)), {
      selector: ([key]) => bytesOf(key).join(),
      maxLength: 200,
    });
    fc.assert(
      fc.property(entries, fc.constantFrom(3, 4), (pairs, hashes) => {
        const map = BloomierMap.from(pairs, { valueBits: 8, hashes: hashes as 3 | 4, ...options });
        const copy = openFilter(map.toBytes(), options) as BloomierMap;
        expect(map.count).toBe(pairs.length);
        for (const [key, value] of pairs) {
          expect(map.get(key)).toBe(value);
          expect(copy.get(key)).toBe(value);
          expect(map.getHash(map.hash(key))).toBe(value);
          expect(map.has(key)).toBe(true);
        }
      }),
      { numRuns: 60, seed: 2 },
    );
  });

  it("keeps values of every width, at their limits", () => {
    for (let valueBits = 1; valueBits <= 32; valueBits++) {
      for (const errorRate of [0.5, 1e-3, 1e-9]) {
        const top = 2 ** valueBits - 1;
        const entries = Array.from({ length: 200 }, (_, i): [number, number] => [
          i,
          [0, top, Math.floor(top / 3)][i % 3]!,
        ]);
        const map = BloomierMap.from(entries, { valueBits, errorRate, ...options });
        expect(map.valueBits).toBe(valueBits);
        expect(entries.filter(([key, value]) => map.get(key) !== value)).toEqual([]);
      }
    }
  });

  it("gives strangers nothing, and a value at the rate", () => {
    const map = BloomierMap.from(
      Array.from(range(0, 20_000), (i): [Key, number] => [i, i % 1000]),
      { valueBits: 10, errorRate: 1 / 128, ...options },
    );
    const asked = 200_000;
    let given = 0;
    for (let i = 0; i < asked; i++) {
      const value = map.get(1_000_000 + i);
      expect(value !== undefined).toBe(map.has(1_000_000 + i));
      if (value === undefined) continue;
      expect(value).toBeLessThan(1024);
      given++;
    }
    const rate = 1 / 128;
    expect(Math.abs(given / asked - rate)).toBeLessThan(4 * Math.sqrt((rate * (1 - rate)) / asked));
  });

  it("takes a key twice with one value, and refuses it with two", () => {
    const map = BloomierMap.from(
      [
        ["a", 1],
        ["b", 2],
        ["a", 1],
      ],
      { valueBits: 2, ...options },
    );
    expect(map.count).toBe(2);
    expect(map.get("a")).toBe(1);
    const twice: [Key, number][] = [
      ["a", 1],
      ["b", 2],
      ["a", 3],
    ];
    expect(() => BloomierMap.from(twice, { valueBits: 2, ...options })).toThrow(/two different values/);
    expect(BloomierMap.from(new Map(twice), { valueBits: 2, ...options }).get("a")).toBe(3);
  });

  it("refuses two keys of one hash and two values rather than to give a wrong one", () => {
    const entries: [Key, number][] = [
      [keyOf(5n, 1n), 1],
      [keyOf(5n, 2n), 2],
    ];
    expect(() => BloomierMap.from(entries, { valueBits: 2, ...options })).toThrow(
      expect.objectContaining({ code: "ERR_BUILD" }),
    );
    expect(BloomierMap.from(entries, { valueBits: 2, seed: 1, ...options }).get(keyOf(5n, 2n))).toBe(2);
  });

  it("holds nothing, too", () => {
    const map = BloomierMap.from([], { valueBits: 8, ...options });
    expect(map.get("a")).toBe(undefined);
    expect(map.count).toBe(0);
  });
});

it("takes 1.125 bits for a bit of value and fingerprint, from a million keys on", () => {
  const map = BloomierMap.from(
    Array.from(range(0, 1_000_000), (i): [Key, number] => [i, i % 8]),
    { valueBits: 3, errorRate: 1 / 256 },
  );
  expect(map.bitsPerKey).toBeGreaterThan(1.125 * 11);
  expect(map.bitsPerKey).toBeLessThan(1.14 * 11);
});

describe("options and entries", () => {
  it.each([
    [[], { valueBits: 0 }, /valueBits is 0; it must be a whole number from 1 to 32/],
    [[], { valueBits: 33 }, /valueBits is 33/],
    [[], {}, /valueBits is undefined/],
    [[], { valueBits: 8, errorRate: 1 }, /errorRate is 1/],
    [[], { valueBits: 8, hashes: 2 }, /hashes is 2/],
    [
      [
        ["a", 1],
        ["b", 256],
      ],
      { valueBits: 8 },
      /entries\[1\]\[1\] is 256; it must be a whole number below 2\^8/,
    ],
    [[["a", -1]], { valueBits: 8 }, /entries\[0\]\[1\] is -1/],
    [[["a", 1.5]], { valueBits: 8 }, /entries\[0\]\[1\] is 1.5/],
    [["ab"], { valueBits: 8 }, /entries\[0\] is "ab"; it must be \[key, value\]/],
    ["ab", { valueBits: 8 }, /entries is "ab"/],
  ])("%o with %o is refused", (entries, options, message) => {
    expect(() => BloomierMap.from(entries as never, options as never)).toThrow(message);
  });
});
