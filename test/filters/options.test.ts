import { BloomFilter, type BloomFilterOptions } from "bloomline";
import { describe, expect, it } from "vitest";
import { engines } from "../support/engines.js";

const make = (options: unknown) => new BloomFilter(options as BloomFilterOptions);

describe("options", () => {
  it("need a capacity only", () => {
    const filter = make({ capacity: 1000 });
    expect(filter).toMatchObject({ capacity: 1000, errorRate: 0.01, seed: 0n, shared: false, engine: "wasm" });
  });

  it.each([
    [0, "capacity is 0; it must be a whole number from 1 up"],
    [-1, "capacity is -1; it must be a whole number from 1 up"],
    [1.5, "capacity is 1.5; it must be a whole number from 1 up"],
    [Number.NaN, "capacity is NaN; it must be a whole number from 1 up"],
    [Number.POSITIVE_INFINITY, "capacity is Infinity; it must be a whole number from 1 up"],
    [2 ** 53, "capacity is 9007199254740992; it must be a whole number from 1 up"],
    [1e12, "capacity is 1000000000000; at 9.97 bits a key, just under 4 GiB hold"],
    [Number.MAX_SAFE_INTEGER, "capacity is 9007199254740991; at 9.97 bits a key, just under 4 GiB hold"],
    ["1000", 'capacity is "1000"; it must be a whole number from 1 up'],
    [1000n, "capacity is 1000n; it must be a whole number from 1 up"],
    [undefined, "capacity is undefined; it must be a whole number from 1 up"],
    [null, "capacity is null; it must be a whole number from 1 up"],
  ])("refuse a capacity of %o", (capacity, message) => {
    expect(() => make({ capacity })).toThrow(RangeError);
    expect(() => make({ capacity })).toThrow(message);
  });

  it.each([
    [0, "errorRate is 0; it must be a number from 1e-9 to 0.5"],
    [1, "errorRate is 1; it must be a number from 1e-9 to 0.5"],
    [-0.01, "errorRate is -0.01; it must be a number from 1e-9 to 0.5"],
    [0.51, "errorRate is 0.51; it must be a number from 1e-9 to 0.5"],
    [9e-10, "errorRate is 9e-10; it must be a number from 1e-9 to 0.5"],
    [Number.NaN, "errorRate is NaN; it must be a number from 1e-9 to 0.5"],
    ["1%", 'errorRate is "1%"; it must be a number from 1e-9 to 0.5'],
    ["0.01", 'errorRate is "0.01"; it must be a number from 1e-9 to 0.5'],
    [null, "errorRate is null; it must be a number from 1e-9 to 0.5"],
  ])("refuse an error rate of %o", (errorRate, message) => {
    expect(() => make({ capacity: 10, errorRate })).toThrow(RangeError);
    expect(() => make({ capacity: 10, errorRate })).toThrow(message);
  });

  it.each([
    [-1, "seed is -1;"],
    [1.5, "seed is 1.5;"],
    [2 ** 53, "seed is 9007199254740992;"],
    [2n ** 64n, "seed is 18446744073709551616n;"],
    [-1n, "seed is -1n;"],
    ["1", 'seed is "1";'],
    [null, "seed is null;"],
  ])("refuse a seed of %o", (seed, message) => {
    expect(() => make({ capacity: 10, seed })).toThrow(RangeError);
    expect(() => make({ capacity: 10, seed })).toThrow(
      `${message} it must be a safe integer or bigint from 0 to 2^64 - 1`,
    );
  });

  it("take a seed as number or bigint", () => {
    expect(make({ capacity: 10, seed: 5 }).seed).toBe(5n);
    expect(make({ capacity: 10, seed: 2n ** 64n - 1n }).seed).toBe(2n ** 64n - 1n);
    expect(make({ capacity: 10, seed: 5 }).isCompatible(make({ capacity: 10, seed: 5n }))).toBe(true);
  });

  it.each([
    [undefined, "options is undefined; it must be an object such as { capacity: 1_000_000, errorRate: 0.01 }"],
    [null, "options is null; it must be an object"],
    [1000, "options is 1000; it must be an object"],
    ["1000", 'options is "1000"; it must be an object'],
    [{ capacity: 10, hashes: 4 }, "hashes goes with bitsPerKey"],
    [{ capacity: 10, errorRate: 0.1, bitsPerKey: 8 }, "errorRate and bitsPerKey say the same"],
    [{ capacity: 10, engine: "gpu" }, 'engine is "gpu"; it must be "auto", "wasm" or "js"'],
    [{ capacity: 10, engine: null }, "engine is null;"],
    [{ capacity: 10, shared: "yes" }, 'shared is "yes"; it must be true or false'],
    [{ capacity: 10, shared: 1 }, "shared is 1;"],
  ])("refuse %o", (options, message) => {
    expect(() => make(options)).toThrow(TypeError);
    expect(() => make(options)).toThrow(message);
  });

  it("refuse to share what JavaScript alone would hold", () => {
    const shared = () => make({ capacity: 10, engine: "js", shared: true });
    expect(shared).toThrow(expect.objectContaining({ name: "BloomlineError", code: "ERR_NO_WASM" }));
    expect(shared).toThrow("Sharing needs WebAssembly, not the JS engine. Leave out { shared: true }.");
  });
});

describe.each(engines)("single keys on $name", ({ options }) => {
  const filter = new BloomFilter({ capacity: 100, ...options });

  it.each([
    [
      "undefined",
      undefined,
      TypeError,
      "key is undefined; a key must be a string, a Uint8Array, a safe integer or a bigint",
    ],
    ["null", null, TypeError, "key is null;"],
    ["an object", {}, TypeError, "key is an object (Object);"],
    ["an object without a prototype", Object.create(null), TypeError, "key is an object (undefined);"],
    ["an array", ["a"], TypeError, "key is an object (Array);"],
    ["a boolean", true, TypeError, "key is true;"],
    ["a symbol", Symbol("s"), TypeError, "key is Symbol(s);"],
    ["a function", () => 1, TypeError, "key is a function;"],
    ["a String object", new String("a"), TypeError, "key is an object (String);"],
    ["an ArrayBuffer", new ArrayBuffer(8), TypeError, "key is an object (ArrayBuffer);"],
    ["a Uint16Array", new Uint16Array(4), TypeError, "key is an object (Uint16Array);"],
    ["a DataView", new DataView(new ArrayBuffer(8)), TypeError, "key is an object (DataView);"],
    ["NaN", Number.NaN, RangeError, "key is NaN; a number key must be a safe integer"],
    ["1.5", 1.5, RangeError, "key is 1.5; a number key must be a safe integer"],
    ["Infinity", Number.POSITIVE_INFINITY, RangeError, "key is Infinity;"],
    ["2^53", 2 ** 53, RangeError, "key is 9007199254740992;"],
    ["-2^53", -(2 ** 53), RangeError, "key is -9007199254740992;"],
    [
      "2^64 as bigint",
      2n ** 64n,
      RangeError,
      "key is 18446744073709551616n; a bigint key must lie between -2^63 and 2^64 - 1",
    ],
    ["-2^63 - 1 as bigint", -(2n ** 63n) - 1n, RangeError, "key is -9223372036854775809n;"],
  ])("cannot be %s", (_, key, error, message) => {
    for (const method of ["add", "has", "hash"] as const) {
      expect(() => filter[method](key as never)).toThrow(error);
      expect(() => filter[method](key as never)).toThrow(message);
    }
    expect(filter.fillRatio).toBe(0);
  });
});

describe("a class of one's own", () => {
  class Named extends BloomFilter {
    readonly label = "mine";
  }

  it("is what its statics and its clone give", () => {
    const filter = Named.from(["a"]);
    expect(filter.label).toBe("mine");
    expect(filter.clone()).toBeInstanceOf(Named);
    expect(Named.fromBytes(filter.toBytes()).label).toBe("mine");
    expect(filter.merge(Named.from(["b"])).hasMany(["a", "b"])).toEqual(Uint8Array.of(1, 1));
  });
});
