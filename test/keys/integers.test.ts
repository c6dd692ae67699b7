import { BloomFilter, type Key } from "bloomline";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { engines } from "../support/engines.js";
import { anyBigint, anyNumber } from "../support/keys.js";
import { murmur3 } from "../support/model.js";

function littleEndian(value: bigint): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigInt64(0, BigInt.asIntN(64, value), true);
  return bytes;
}

const edges = [
  0,
  1,
  -1,
  255,
  256,
  2 ** 31 - 1,
  2 ** 31,
  -(2 ** 31),
  -(2 ** 31) - 1,
  2 ** 32 - 1,
  2 ** 32,
  2 ** 32 + 1,
].concat([-(2 ** 32), -(2 ** 32) - 1, -(2 ** 32) + 1, 2 ** 52, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]);

describe.each(engines)("integers on $name", ({ options }) => {
  const make = () => new BloomFilter({ capacity: 1000, errorRate: 1e-6, ...options });

  /** All ways to say one key set the same bits and find each other. */
  function expectOneKey(keys: readonly Key[]): void {
    const filters = keys.flatMap((key) => {
      const [single, batch, iterable, hashed] = [make(), make(), make(), make()];
      single.add(key);
      batch.addMany([key]);
      iterable.addMany(new Set([key]));
      hashed.addHash(hashed.hash(key));
      return [single, batch, iterable, hashed];
    });
    for (const filter of filters) {
      expect(filter.equals(filters[0]!)).toBe(true);
      expect(filter.hasMany(keys)).toEqual(new Uint8Array(keys.length).fill(1));
      expect(keys.every((key) => filter.has(key))).toBe(true);
    }
    for (const filter of filters) filter.dispose();
  }

  it("are one key as number, bigint and eight bytes", () => {
    fc.assert(
      fc.property(anyNumber, (n) => expectOneKey([n, BigInt(n), littleEndian(BigInt(n))])),
      { examples: edges.map((n) => [n]) },
    );
  });

  it("are one key as signed and unsigned bigint", () => {
    fc.assert(
      fc.property(anyBigint, (n) => {
        const signed = BigInt.asIntN(64, n);
        expectOneKey([n, signed, BigInt.asUintN(64, n), littleEndian(n)]);
      }),
      { examples: [[-(2n ** 63n)], [2n ** 63n], [2n ** 64n - 1n], [2n ** 63n - 1n], [-1n]] },
    );
  });

  it("hash as their eight bytes do", () => {
    const filter = make();
    for (const n of edges) {
      const expected = { seed: 0n, ...murmur3(littleEndian(BigInt(n))) };
      expect(filter.hash(n)).toEqual(expected);
      expect(filter.hash(BigInt(n))).toEqual(expected);
    }
  });

  it("know no negative zero", () => {
    expectOneKey([0, -0, 0n, new Uint8Array(8)]);
    const filter = make();
    filter.addMany(Float64Array.of(-0));
    expect(filter.has(0)).toBe(true);
  });

  it("are not strings, and not shorter bytes", () => {
    const alike: Key[] = ["1", 1, Uint8Array.of(1), Uint8Array.of(1, 0, 0, 0), "1n", "\x01", -1];
    for (const key of alike) {
      const filter = make();
      filter.add(key);
      expect([...filter.hasMany(alike)]).toEqual(
        alike.map((other) => Number(other === key || filter.hash(other).h1 === filter.hash(key).h1)),
      );
    }
    const filter = make();
    filter.add(1);
    expect(["1", Uint8Array.of(1), "\x01", Uint8Array.of(1, 0, 0, 0)].map((key) => filter.has(key))).not.toContain(
      true,
    );
  });

  it("are the same in every typed array", () => {
    const byArray = make();
    byArray.addMany(edges);
    const floats = make();
    floats.addMany(Float64Array.from(edges));
    const longs = make();
    longs.addMany(BigInt64Array.from(edges, BigInt));
    const unsigned = make();
    unsigned.addMany(BigUint64Array.from(edges, BigInt));
    for (const other of [floats, longs, unsigned]) expect(other.equals(byArray)).toBe(true);

    const small = edges.filter((n) => n >= 0 && n < 2 ** 32);
    const words = make();
    words.addMany(Uint32Array.from(small));
    const numbers = make();
    numbers.addMany(small);
    expect(words.equals(numbers)).toBe(true);
  });

  it("in other typed arrays are an iterable of numbers", () => {
    for (const keys of [Int32Array.of(-1, 2), Int16Array.of(-1, 2), Int8Array.of(-1, 2), Float32Array.of(-1, 2)]) {
      const filter = make();
      expect(filter.addMany(keys)).toBe(2);
      expect(filter.hasMany([-1, 2, 1])).toEqual(Uint8Array.of(1, 1, 0));
    }
  });
});
