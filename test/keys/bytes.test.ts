import { BloomFilter } from "bloomline";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { engines } from "../support/engines.js";
import { anyBytes } from "../support/keys.js";
import { noise } from "../support/random.js";

describe.each(engines)("bytes on $name", ({ options }) => {
  const make = () => new BloomFilter({ capacity: 1000, errorRate: 1e-6, ...options });

  it("are the same key from any view at any offset", () => {
    const filter = make();
    fc.assert(
      fc.property(anyBytes, (view) => {
        const copy = Uint8Array.from(view);
        expect(filter.hash(view)).toEqual(filter.hash(copy));
        expect(filter.hash(Buffer.from(view))).toEqual(filter.hash(copy));
        filter.add(view);
        expect(filter.has(copy)).toBe(true);
        expect(filter.hasMany([copy, view, Buffer.from(view)])).toEqual(Uint8Array.of(1, 1, 1));
      }),
    );
  });

  it("may lie in shared memory, in a Buffer of the pool, or in a subclass", () => {
    const filter = make();
    filter.add(Uint8Array.of(1, 2, 3));
    const shared = new Uint8Array(new SharedArrayBuffer(8), 2, 3);
    shared.set([1, 2, 3]);
    class Id extends Uint8Array {}
    const keys = [shared, Buffer.from([1, 2, 3]), Buffer.from("010203", "hex"), Id.of(1, 2, 3)];
    for (const key of keys) expect(filter.has(key)).toBe(true);
    expect(filter.hasMany(keys)).toEqual(Uint8Array.of(1, 1, 1, 1));
  });

  it("are not what an ArrayBuffer's other bytes say", () => {
    const filter = make();
    const buffer = noise(64);
    filter.add(buffer.subarray(8, 24));
    expect(filter.has(buffer)).toBe(false);
    expect(filter.has(buffer.subarray(8, 25))).toBe(false);
    expect(filter.has(buffer.subarray(7, 24))).toBe(false);
  });

  it("may be none: the empty key is a key, and the same as the empty string", () => {
    const filter = make();
    expect(filter.has("")).toBe(false);
    expect(filter.add(new Uint8Array(0))).toBe(true);
    expect(filter.has("")).toBe(true);
    expect(filter.add("")).toBe(false);
    expect(filter.hasMany(["", new Uint8Array(0), "x"])).toEqual(Uint8Array.of(1, 1, 0));
  });

  it("do not leak from one key into the next", () => {
    const filter = make();
    filter.add("a long key that leaves its bytes behind");
    for (let length = 0; length <= 40; length++) {
      filter.has("z".repeat(60));
      const after = filter.hash("b".repeat(length));
      filter.has("\0".repeat(60));
      expect(filter.hash("b".repeat(length))).toEqual(after);
    }
  });
});
