import { BloomFilter, type Key } from "bloomline";
import { describe, expect, it } from "vitest";
import { engines } from "../support/engines.js";
import { bytesOf, murmur3 } from "../support/model.js";
import { noise } from "../support/random.js";
import guava from "../vectors/guava.json" with { type: "json" };
import published from "../vectors/murmur3.json" with { type: "json" };

const hex = (word: bigint) => word.toString(16).padStart(16, "0");

/** The 16 bytes of a hash, as C and Guava write them: both halves little-endian. */
function hashBytes({ h1, h2 }: { h1: bigint; h2: bigint }): Uint8Array {
  return Uint8Array.from([...bytesOf(h1), ...bytesOf(h2)]);
}

/**
 * The staging area ends somewhere between these lengths, and longer keys are hashed in pieces: with 16-byte blocks and
 * tails, everything that can go wrong at a boundary goes wrong near a power of two or near the area's size.
 */
const boundaries = [4096, 16384, 65536, 98304, 122880, 123712, 131072, 262144];
const lengths = boundaries.flatMap((size) => [-17, -16, -1, 0, 1, 15, 16].map((more) => size + more));
const text = Buffer.from(noise(Math.max(...lengths)).map((byte) => 32 + (byte % 90))).toString();
const expected = lengths.map((length) => ({ seed: 7n, ...murmur3(bytesOf(text.slice(0, length)), 7n) }));

describe.each(engines)("MurmurHash3_x64_128 on $name", ({ options }) => {
  const hash = (key: Key, seed: number | bigint = 0) => {
    const filter = new BloomFilter({ capacity: 1, seed, ...options });
    const result = filter.hash(key);
    filter.dispose();
    return result;
  };

  it.each(published.vectors)("agrees with the published vector for $text, seed $seed", ({ seed, text, h1, h2 }) => {
    const got = hash(text, seed);
    expect([hex(got.h1), hex(got.h2)]).toEqual([h1, h2]);
    expect(got.seed).toBe(BigInt(seed));
    expect(hash(bytesOf(text), seed)).toEqual(got);
  });

  it("gives the verification value that SMHasher publishes", () => {
    // Keys {}, {0}, {0, 1}, … under seeds 256, 255, …; then the hash of all hashes.
    const all = new Uint8Array(256 * 16);
    const counting = Uint8Array.from({ length: 256 }, (_, i) => i);
    for (let i = 0; i < 256; i++) all.set(hashBytes(hash(counting.subarray(0, i), 256 - i)), i * 16);
    const value = new DataView(hashBytes(hash(all)).buffer).getUint32(0, true);
    expect(value.toString(16)).toBe(published.verification);
  });

  it.each([
    { seed: 0, pairs: guava.murmur3_128_seed0 },
    { seed: 42, pairs: guava.murmur3_128_seed42 },
  ])("agrees with Guava under seed $seed", ({ seed, pairs }) => {
    expect(pairs.length).toBe(14);
    for (const [key, expected] of pairs as [string, string][]) {
      const got = hashBytes(hash(new Uint8Array(Buffer.from(key, "base64")), seed));
      expect(Buffer.from(got).toString("hex")).toBe(expected);
    }
  });

  it.each([0n, 1n, 2n ** 32n, 2n ** 63n, 2n ** 64n - 1n])("takes all 64 bits of seed %i", (seed) => {
    for (let length = 0; length <= 100; length++) {
      const key = noise(length, length + 1);
      expect(hash(key, seed), `length ${length}`).toEqual({ seed, ...murmur3(key, seed) });
    }
  });

  it("agrees with the model around the sizes at which keys go other ways", () => {
    const filter = new BloomFilter({ capacity: 1, seed: 7, ...options });
    expect(lengths.map((length) => filter.hash(text.slice(0, length)))).toEqual(expected);
    const bytes = bytesOf(text);
    expect(lengths.map((length) => filter.hash(bytes.subarray(0, length)))).toEqual(expected);
  });

  it("hashes a key of 100 MB", () => {
    const filter = new BloomFilter({ capacity: 10, ...options });
    const key = new Uint8Array(100_000_000).fill(120);
    // What the model gives for it, in a quarter of a minute.
    const expected = { seed: 0n, h1: 0x27314b0605ad0a97n, h2: 0x4b7c9b1c7472a7fan };
    expect(filter.hash(key)).toEqual(expected);
    expect(filter.add(key)).toBe(true);
    expect(filter.has(key)).toBe(true);
    expect(filter.hasMany(["x".repeat(100_000_000), key, key.subarray(1)])).toEqual(Uint8Array.of(1, 1, 0));
    key[99_999_999] = 121;
    expect(filter.has(key)).toBe(false);
    key[99_999_999] = 120;
    key[0] = 121;
    expect(filter.has(key)).toBe(false);
  });
});
