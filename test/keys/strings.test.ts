import { BloomFilter } from "bloomline";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { engines } from "../support/engines.js";
import { anyString } from "../support/keys.js";
import { murmur3 } from "../support/model.js";

const encoder = new TextEncoder();

/** A string that the engine holds in two parts until somebody reads it. */
function rope(left: string, right: string): string {
  return left + right;
}

describe.each(engines)("strings on $name", ({ options }) => {
  const make = () => new BloomFilter({ capacity: 5000, errorRate: 1e-6, ...options });

  /** One by one and in a batch, the strings are what TextEncoder makes of them. */
  function expectEncoded(texts: readonly string[]): void {
    const [single, batch, iterable, encoded] = [make(), make(), make(), make()];
    const bytes = texts.map((text) => encoder.encode(text));
    for (const text of texts) single.add(text);
    batch.addMany(texts);
    iterable.addMany(new Set(texts));
    encoded.addMany(bytes);
    expect(single.equals(encoded), "one by one").toBe(true);
    expect(batch.equals(encoded), "in a batch").toBe(true);
    expect(iterable.equals(encoded), "from an iterable").toBe(true);
    const ones = new Uint8Array(texts.length).fill(1);
    expect(encoded.hasMany(texts)).toEqual(ones);
    expect(texts.filter((text) => !encoded.has(text))).toEqual([]);
    expect(batch.hasMany(bytes)).toEqual(ones);
    for (const filter of [single, batch, iterable, encoded]) filter.dispose();
  }

  it("are their UTF-8 bytes, as TextEncoder has it", () => {
    fc.assert(fc.property(anyString, (text) => expectEncoded([text])));
  });

  it("are so in batches, whatever stands next to what", () => {
    fc.assert(fc.property(fc.array(anyString, { maxLength: 50 }), expectEncoded));
  });

  it("hash as their bytes do", () => {
    const filter = make();
    fc.assert(
      fc.property(anyString, (text) => {
        expect(filter.hash(text)).toEqual({ seed: 0n, ...murmur3(encoder.encode(text)) });
      }),
    );
  });

  it("of every length go the same way in", () => {
    for (const unit of ["a", "é", "語", "🌸", "a語", "\ud800"]) {
      expectEncoded(Array.from({ length: 130 }, (_, i) => unit.repeat(i)));
    }
  });

  it("may stop being ASCII at any place", () => {
    for (const unit of ["\x7f", "\x80", "é", "語", "🌸", "\ud800", "\udf38"]) {
      expectEncoded(Array.from({ length: 48 }, (_, i) => `${"a".repeat(i)}${unit}${"b".repeat(47 - i)}`));
      expectEncoded(Array.from({ length: 9 }, (_, i) => "a".repeat(i) + unit));
    }
  });

  it("are not joined where a surrogate pair spans two of a batch", () => {
    expectEncoded(["\ud83c", "\udf38"]);
    expectEncoded(["a\ud83c", "", "", "\udf38b"]);
    expectEncoded(["語", "\ud83c\udf38\ud83c", "\udf38", "🌸"]);
    expectEncoded([..."a".repeat(1023), "\ud83c", "\udf38", "b"]);
    expectEncoded(Array.from({ length: 3000 }, (_, i) => (i % 2 ? `\udf38${i}` : `${i}\ud83c`)));
    // The two halves are one and the same key, and not the flower.
    const filter = make();
    filter.addMany(["\ud83c", "\udf38"]);
    expect(filter.has("\ufffd")).toBe(true);
    expect(filter.has("🌸")).toBe(false);
    expect(filter.count).toBe(1);
  });

  it("may be ropes and slices", () => {
    const base = "0123456789 abcdefghij 語 🌸 ".repeat(20);
    const texts = Array.from({ length: 400 }, (_, i) => rope(base.slice(i % 50, i + 60), `${i}`.repeat(1 + (i % 30))));
    expectEncoded(texts);
  });

  it("may be huge, alone and among others", () => {
    for (const unit of ["a", "é", "語", "🌸", "a\ud800"]) {
      const huge = unit.repeat(Math.ceil(300_000 / unit.length));
      expectEncoded(["before", huge, "between", huge.slice(0, -1), huge.slice(1), "", "after"]);
    }
    // Each fits, together they do not; ASCII first, so that the way in is chosen before the others are seen.
    expectEncoded(Array.from({ length: 40 }, (_, i) => (i < 20 ? "ab" : "語") + "x".repeat(i * 500)));
    expectEncoded(Array.from({ length: 1024 }, (_, i) => "語".repeat(120) + i));
  });

  it("may be mixed with every other kind of key", () => {
    const keys = ["a", 1, 2n, Uint8Array.of(3), "語", "x".repeat(150_000), -4, "\ud800", new Uint8Array(140_000), ""];
    for (let turn = 0; turn < keys.length; turn++) {
      const order = [...keys.slice(turn), ...keys.slice(0, turn)];
      const [single, batch] = [make(), make()];
      for (const key of order) single.add(key);
      expect(batch.addMany(order)).toBe(10);
      expect(batch.equals(single)).toBe(true);
      expect(batch.hasMany(order)).toEqual(new Uint8Array(10).fill(1));
      expect(batch.hasMany(["no", ...order, 99])).toEqual(Uint8Array.of(0, ...new Uint8Array(10).fill(1), 0));
    }
  });
});
