// What every filter must do that is built of all its keys at once, on every engine.

import { BloomlineError, type EngineOptions, type Key, type Keys, openFilter } from "bloomline";
import { describe, expect, it } from "vitest";
import type { ReadableFilter } from "../../src/filters/line-filter.js";
import { engines } from "../support/engines.js";
import { bytesOf } from "../support/model.js";
import { pack } from "../support/packed.js";
import { noise, numbers } from "../support/random.js";

type Frozen = ReadableFilter & { readonly count: number };

export interface FrozenSubject {
  readonly type: { fromBytes(bytes: Uint8Array, options: EngineOptions): Frozen; new (options: never): Frozen };
  /** How it is built; a map gives every key some value. */
  readonly from: (keys: Keys, options: EngineOptions & { seed?: number | bigint }) => Frozen;
  /** Whether keys may share a value by chance, and count as one. */
  readonly mayMerge?: boolean;
}

function mixedKeys(): Key[] {
  const next = numbers(77);
  const kinds: ((i: number) => Key)[] = [
    (i) => `https://example.com/item/${i}`,
    (i) => `過濾器 ${i} 🌸`,
    (i) => noise(next() % 80, i + 1),
    () => next() - 2 ** 31,
    (i) => 2n ** 64n - 1n - BigInt(i),
  ];
  const keys = Array.from({ length: 2000 }, (_, i) => kinds[next() % kinds.length]!(i));
  return ["", "\ud800", new Uint8Array(0), 0, -1, "x".repeat(200_000), noise(150_000), ...keys];
}

const keys = mixedKeys();
/** "" and no bytes are one key. */
const distinct = new Set(keys.map((key) => bytesOf(key).join())).size;
const strangers = Array.from({ length: 4000 }, (_, i) => `stranger ${i}`);
const everybody = [...keys, ...strangers];

export function conformsFrozen({ type, from, mayMerge = false }: FrozenSubject): void {
  describe.each(engines)("on $name", ({ options: engine }) => {
    const filter = from(keys, { ...engine, seed: 5 });
    const bytes = filter.toBytes();

    it("runs on the engine it was asked for", () => {
      expect(filter).toBeInstanceOf(type);
      expect(filter.engine).toBe(engine.engine);
      expect(filter.shared).toBe(engine.shared);
      expect(filter.byteLength).toBe(bytes.length - 64);
    });

    it("finds all its keys, one by one, in a batch and by hash, and answers alike to strangers", () => {
      expect(keys.filter((key) => !filter.has(key))).toEqual([]);
      const answers = everybody.map((key) => Number(filter.has(key)));
      expect(answers).toContain(0);
      expect([...filter.hasMany(everybody)]).toEqual(answers);
      expect([...filter.hasMany(pack(everybody))]).toEqual(answers);
      expect(everybody.map((key) => Number(filter.hasHash(filter.hash(key))))).toEqual(answers);
      if (mayMerge) expect(filter.count).toBeGreaterThan(distinct * 0.92);
      else expect(filter.count).toBe(distinct);
    });

    it("is the same from every form of keys, in any order and with any of them twice", () => {
      const forms: Keys[] = [
        new Set(keys),
        keys.values(),
        pack(keys),
        pack(keys, 13),
        [...keys].reverse(),
        [...keys, ...keys],
      ];
      for (const form of forms) expect(from(form, { ...engine, seed: 5 }).toBytes()).toEqual(bytes);
      const integers = Uint32Array.from({ length: 1500 }, (_, i) => i * 1_431_655);
      expect(from(integers, engine).toBytes()).toEqual(from([...integers], engine).toBytes());
    });

    it("survives toBytes, fromBytes and openFilter, on any engine", () => {
      for (const { options } of engines) {
        for (const copy of [type.fromBytes(bytes, options), openFilter(bytes, options) as Frozen]) {
          expect(copy).toBeInstanceOf(type);
          expect(copy.engine).toBe(options.engine);
          expect(copy.toBytes()).toEqual(bytes);
          expect(copy.equals(filter)).toBe(true);
          expect(copy.hasMany(everybody)).toEqual(filter.hasMany(everybody));
          expect(copy.count).toBe(filter.count);
        }
      }
    });

    it("holds nothing, one key, and one key a thousand times", () => {
      const empty = from([], engine);
      expect(empty.count).toBe(0);
      expect(empty.hasMany(everybody).includes(1)).toBe(false);
      expect(openFilter(empty.toBytes()).has("a")).toBe(false);
      const one = from(["a"], engine);
      expect(one.count).toBe(1);
      expect(one.has("a")).toBe(true);
      expect(one.hasMany(strangers).includes(0)).toBe(true);
      expect(from(new Array(1000).fill("a"), engine).equals(one)).toBe(true);
    });

    it("clones itself, and equals only its like", () => {
      const copy = filter.clone();
      expect(copy.toBytes()).toEqual(bytes);
      expect(copy.equals(filter)).toBe(true);
      expect(copy.equals(from(keys, { ...engine, seed: 6 }))).toBe(false);
      expect(copy.equals(from(keys.slice(0, -1), { ...engine, seed: 5 }))).toBe(false);
      copy.dispose();
      expect(filter.has(keys[0]!)).toBe(true);
    });

    it("takes no more keys", () => {
      for (const method of ["add", "addMany", "addHash", "clear"]) expect(filter).not.toHaveProperty(method);
      expect(() => new type({} as never)).toThrow(/from\(/);
    });

    it("takes a hash of the same seed only", () => {
      const hash = from(["a"], { ...engine, seed: 6 }).hash("a");
      expect(() => filter.hasHash(hash)).toThrow(expect.objectContaining({ code: "ERR_INCOMPATIBLE" }));
    });

    it("is of no use once disposed of", () => {
      const gone = filter.clone();
      gone[Symbol.dispose]();
      gone.dispose();
      for (const use of [() => gone.has("a"), () => gone.hasMany(["a"]), () => gone.toBytes(), () => gone.clone()]) {
        expect(use).toThrow(expect.objectContaining({ code: "ERR_DISPOSED" }));
      }
    });

    it("says which key is bad", () => {
      for (const bad of [1.5, null, {}, 2n ** 64n]) {
        expect(() => from(["a", bad as Key], engine)).toThrow(/1\]|1/);
        expect(() => from(["a", bad as Key], engine)).not.toThrow(BloomlineError);
      }
    });
  });

  it("gives the same bytes on every engine", () => {
    const [first, ...others] = engines.map(({ options }) => from(keys, { ...options, seed: 2n ** 64n - 1n }).toBytes());
    for (const other of others) expect(other).toEqual(first);
  });
}
