import { BloomFilter, type Key, type Keys } from "bloomline";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { engines } from "../support/engines.js";
import { anyKey } from "../support/keys.js";
import { pack } from "../support/packed.js";
import { range } from "../support/random.js";

describe.each(engines)("batches on $name", ({ options }) => {
  const make = () => new BloomFilter({ capacity: 5000, errorRate: 1e-6, ...options });

  it("of any keys do what single calls do", () => {
    fc.assert(
      fc.property(fc.array(anyKey, { maxLength: 60 }), fc.nat(20), (keys, before) => {
        const [single, batch, packed, iterable] = [make(), make(), make(), make()];
        const changed = keys.filter((key) => single.add(key)).length;
        expect(batch.addMany(keys)).toBe(changed);
        expect(packed.addMany(pack(keys, before))).toBe(changed);
        expect(iterable.addMany(keys.values())).toBe(changed);
        for (const filter of [batch, packed, iterable]) expect(filter.equals(single)).toBe(true);
        for (const filter of [single, batch, packed, iterable]) filter.dispose();
      }),
    );
  });

  it.each([1, 2, 63, 64, 65, 127, 128, 129, 255, 256, 257, 1023, 1024, 1025, 2047, 2048, 2049])(
    "of %i keys leave none out",
    (n) => {
      for (const keys of [range(0, n), [...range(0, n)], [...range(0, n)].map((i) => `key ${i}`)] as Keys[]) {
        const filter = make();
        expect(filter.addMany(keys)).toBe(n);
        expect(filter.hasMany(keys)).toEqual(new Uint8Array(n).fill(1));
        expect(filter.count).toBeGreaterThanOrEqual(n - 2);
      }
    },
  );

  it("that begin with many numbers may have other keys among them, anywhere", () => {
    const other: Key[] = ["text", "鍵", Uint8Array.of(1, 2, 3), 2n ** 64n - 1n, "x".repeat(150_000)];
    for (const place of [1, 511, 512, 513, 2047, 2048, 2049, 4999]) {
      for (const key of other) {
        const keys: Key[] = Array.from({ length: 5000 }, (_, i) => i);
        keys[place] = key;
        const [single, batch] = [make(), make()];
        for (const each of keys) single.add(each);
        expect(batch.addMany(keys)).toBe(5000);
        expect(batch.equals(single)).toBe(true);
        expect(batch.hasMany(keys).includes(0)).toBe(false);
        for (const filter of [single, batch]) filter.dispose();
      }
    }
  });

  it("of numbers are the keys that bigints are, whatever their size and sign", () => {
    const edges = [0, 1, 2 ** 31, 2 ** 32, 2 ** 52, 2 ** 53 - 1].flatMap((edge) => [edge - 1, edge, edge + 1]);
    const numbers = edges.flatMap((n) => [n, -n]).filter(Number.isSafeInteger);
    const [mine, theirs] = [make(), make()];
    mine.addMany(numbers);
    theirs.addMany(BigInt64Array.from(numbers, BigInt));
    expect(mine.equals(theirs)).toBe(true);
    expect(mine.hasMany(Float64Array.from(numbers)).includes(0)).toBe(false);
  });

  it("count a key that comes twice once", () => {
    expect(make().addMany(["a", "b", "a", "a", 1, 1n])).toBe(3);
    expect(make().addMany(Uint32Array.of(7, 7, 7))).toBe(1);
  });

  it("packed with offsets that start anywhere take that stretch", () => {
    const { bytes, offsets } = pack(Array.from({ length: 3000 }, (_, i) => `key ${i}`));
    const filter = make();
    expect(filter.addMany({ bytes, offsets: offsets.subarray(1000, 2001) })).toBe(1000);
    expect(filter.has("key 999")).toBe(false);
    expect(filter.has("key 1000")).toBe(true);
    expect(filter.has("key 1999")).toBe(true);
    expect(filter.has("key 2000")).toBe(false);
    expect([...filter.hasMany({ bytes, offsets })].indexOf(1)).toBe(1000);
    // One offset is the end of no key.
    expect(filter.addMany({ bytes, offsets: Uint32Array.of(5) })).toBe(0);
  });

  it("packed keys may be empty or larger than the staging area", () => {
    const keys: Key[] = ["", "", "a", "x".repeat(400_000), "", "b", "y".repeat(130_000), "c"];
    const [single, packed] = [make(), make()];
    for (const key of keys) single.add(key);
    expect(packed.addMany(pack(keys, 3))).toBe(6);
    expect(packed.equals(single)).toBe(true);
    expect(packed.hasMany(pack(["d", ...keys]))).toEqual(Uint8Array.of(0, 1, 1, 1, 1, 1, 1, 1, 1));
  });

  it("answer into `out`, and leave the rest of it alone", () => {
    const filter = make();
    filter.addMany(["a", "c"]);
    const out = new Uint8Array(6).fill(9);
    expect(filter.hasMany(["a", "b", "c"], out)).toBe(out);
    expect(out).toEqual(Uint8Array.of(1, 0, 1, 9, 9, 9));
    const middle = out.subarray(2, 5);
    filter.hasMany(new Set(["b", "a"]), middle);
    expect(out).toEqual(Uint8Array.of(1, 0, 0, 1, 9, 9));
    expect(filter.hasMany([], out)).toBe(out);
  });

  it("refuse an `out` that is too short, and one that is no Uint8Array", () => {
    const filter = make();
    expect(() => filter.hasMany(["a", "b", "c"], new Uint8Array(2))).toThrow(RangeError);
    expect(() => filter.hasMany(["a", "b", "c"], new Uint8Array(2))).toThrow("out has 2 places for 3 keys");
    expect(() => filter.hasMany(["a"], [] as never)).toThrow(TypeError);
    expect(() => filter.hasMany(["a"], new Uint16Array(4) as never)).toThrow("out is an object (Uint16Array)");
  });

  it("pass on what an iterable throws midway, and stay usable", () => {
    const filter = make();
    function* keys() {
      for (let i = 0; i < 1500; i++) yield `key ${i}`;
      throw new Error("the source dried up");
    }
    expect(() => filter.addMany(keys())).toThrow("the source dried up");
    expect(() => filter.hasMany(keys())).toThrow("the source dried up");
    expect(filter.addMany(["more"])).toBe(1);
    expect(filter.has("more")).toBe(true);
  });

  it("close an iterable whose key is bad", () => {
    const filter = make();
    let closed = false;
    function* keys(): Generator<Key> {
      try {
        yield "good";
        yield undefined as never;
      } finally {
        closed = true;
      }
    }
    expect(() => filter.addMany(keys())).toThrow("keys[1] is undefined");
    expect(closed).toBe(true);
  });

  it("with a bad key in an array add nothing and name its place", () => {
    const bad: [unknown, typeof TypeError | typeof RangeError, string][] = [
      [undefined, TypeError, "keys[1500] is undefined"],
      [null, TypeError, "keys[1500] is null"],
      [{}, TypeError, "keys[1500] is an object (Object)"],
      [1.5, RangeError, "keys[1500] is 1.5"],
      [Number.NaN, RangeError, "keys[1500] is NaN"],
      [2 ** 53, RangeError, "keys[1500] is 9007199254740992"],
      [2n ** 64n, RangeError, "keys[1500] is 18446744073709551616n"],
    ];
    for (const [key, error, message] of bad) {
      for (const good of ["text", 7, 7n, Uint8Array.of(7)]) {
        const keys = new Array<unknown>(2000).fill(good).with(1500, key) as Key[];
        const filter = make();
        expect(() => filter.addMany(keys)).toThrow(error);
        expect(() => filter.addMany(keys)).toThrow(message);
        expect(filter.fillRatio).toBe(0);
        expect(() => filter.hasMany(keys)).toThrow(error);
        expect(() => filter.hasMany(keys)).toThrow(message);
      }
    }
  });

  it.each([1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, -(2 ** 53)])("of floats refuse %d", (bad) => {
    const filter = make();
    const keys = new Float64Array(2000).fill(3).with(1500, bad);
    for (const ask of [() => filter.addMany(keys), () => filter.hasMany(keys)]) {
      expect(ask).toThrow(RangeError);
      expect(ask).toThrow(`keys[1500] is ${bad}`);
    }
    expect(filter.fillRatio).toBe(0);
  });

  it.each([
    ["a string", "key", TypeError, 'keys is "key"; it must be an iterable of keys such as [key]'],
    [
      "a Uint8Array",
      Uint8Array.of(1),
      TypeError,
      "keys is an object (Uint8Array); it must be an iterable of keys such as [key]",
    ],
    ["a Buffer", Buffer.of(1), TypeError, "keys is an object (Buffer); it must be an iterable of keys such as [key]"],
    ["a number", 5, TypeError, "keys is 5; it must be an iterable of keys"],
    ["undefined", undefined, TypeError, "keys is undefined; it must be an iterable of keys"],
    ["null", null, TypeError, "keys is null; it must be an iterable of keys"],
    ["an object", {}, TypeError, "keys is an object (Object); it must be an iterable of keys"],
    [
      "an ArrayBuffer",
      new ArrayBuffer(8),
      TypeError,
      "keys is an object (ArrayBuffer); it must be an iterable of keys",
    ],
    [
      "offsets that are an array",
      { bytes: Uint8Array.of(1), offsets: [0, 1] },
      TypeError,
      "keys is an object (Object); it must be an iterable of keys such as [key], or { bytes, offsets }",
    ],
    [
      "bytes that are a string",
      { bytes: "a", offsets: Uint32Array.of(0, 1) },
      TypeError,
      "keys is an object (Object); it must be an iterable of keys such as [key], or { bytes, offsets }",
    ],
    [
      "no offsets",
      { bytes: Uint8Array.of(1), offsets: new Uint32Array(0) },
      RangeError,
      "offsets[0] is undefined; it must be from 0 to 1",
    ],
    [
      "descending offsets",
      { bytes: new Uint8Array(9), offsets: Uint32Array.of(0, 5, 4) },
      RangeError,
      "offsets[2] is 4",
    ],
    [
      "offsets past the end",
      { bytes: new Uint8Array(9), offsets: Uint32Array.of(0, 10) },
      RangeError,
      "offsets[1] is 10; it must be from 0 to 9",
    ],
    [
      "offsets past the end, even if the keys can be iterated",
      { bytes: new Uint8Array(9), offsets: Uint32Array.of(0, 10), [Symbol.iterator]: () => ["a"].values() },
      RangeError,
      "offsets[1] is 10; it must be from 0 to 9",
    ],
    ["negative offsets", { bytes: new Uint8Array(9), offsets: Int32Array.of(-1, 3) }, RangeError, "offsets[0] is -1"],
  ])("are not %s", (_, keys, error, message) => {
    const filter = make();
    const asks = [
      () => filter.addMany(keys as never),
      () => filter.hasMany(keys as never),
      () => BloomFilter.from(keys as never, options),
    ];
    for (const ask of asks) {
      expect(ask).toThrow(error);
      expect(ask).toThrow(message);
    }
    expect(filter.fillRatio).toBe(0);
  });
});
