import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { BloomFilter, openFilter } from "bloomline";
import { describe, expect, it } from "vitest";
import { goldens } from "../golden/goldens.mjs";
import { engines } from "../support/engines.js";
import { rewritten } from "../support/header.js";
import { Model, murmur3 } from "../support/model.js";

const read = (name: string) => new Uint8Array(readFileSync(new URL(`../golden/${name}`, import.meta.url)));
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");

describe.each(goldens)("golden file $name", ({ name, options, keys, sha256 }) => {
  const bytes = read(name);

  it("is the file that was made in the beginning", () => {
    expect(createHash("sha256").update(bytes).digest("hex")).toBe(sha256);
  });

  it.each(engines)("is what the same keys give today on $name", ({ options: engine }) => {
    const filter = BloomFilter.from(keys, { ...options, ...engine });
    expect(hex(filter.toBytes())).toBe(hex(bytes));
  });

  it.each(engines)("opens on $name and holds its keys", ({ options: engine }) => {
    const filter = openFilter(bytes, engine);
    expect(filter).toBeInstanceOf(BloomFilter);
    expect(filter.engine).toBe(engine.engine);
    expect(filter.hasMany(keys).includes(0)).toBe(false);
    expect(hex(filter.toBytes())).toBe(hex(bytes));
  });

  it("holds the lines that the model predicts", () => {
    const model = new Model(BloomFilter.fromBytes(bytes));
    for (const key of keys) model.add(key);
    expect(hex(bytes.subarray(64))).toBe(hex(model.bits));
  });

  it("holds the header that the description predicts", () => {
    const lines = bytes.subarray(64);
    const ones = lines.reduce((sum, byte) => sum + byte.toString(2).replaceAll("0", "").length, 0);
    const { hashes, errorRate, capacity, seed } = BloomFilter.fromBytes(bytes);
    const header = rewritten(new Uint8Array(64), {
      magic: 0x4d4c4289,
      version: 1,
      kind: 1,
      hash: 1,
      hashes,
      lines: lines.length / 64,
      seed,
      capacity: BigInt(capacity),
      errorRate,
      ones: BigInt(ones),
      checksum: murmur3(lines).h1,
    });
    expect(hex(bytes.subarray(0, 64))).toBe(hex(header));
  });
});

it("format v1, byte by byte", () => {
  const fields: [name: string, bytes: string][] = [
    ["magic: 89 B L M", "89424c4d"],
    ["version: 1", "01"],
    ["kind: 1, the cache-line Bloom filter", "01"],
    ["hash: 1, MurmurHash3_x64_128", "01"],
    ["hashes: 17", "11"],
    ["lines: 20", "14000000"],
    ["reserved", "00000000"],
    ["seed: fedcba9876543210", "1032547698badcfe"],
    ["capacity: 250", "fa00000000000000"],
    ["error rate: 1e-6, a double", "8dedb5a0f7c6b03e"],
    ["ones: 3472", "900d000000000000"],
    ["checksum of the lines: h1 of their MurmurHash3, seed 0", "8b0561ea92d1fb24"],
    ["reserved", "00000000"],
    ["checksum of the 60 bytes before it: FNV-1a", "d180cade"],
  ];
  const bytes = read("mixed.bloom");
  let at = 0;
  for (const [name, expected] of fields) {
    const length = expected.length / 2;
    expect(hex(bytes.subarray(at, at + length)), name).toBe(expected);
    at += length;
  }
  expect(at).toBe(64);
  expect(bytes.length).toBe(64 + 20 * 64);
});
