import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { CountingBloomFilter, CuckooFilter, openFilter, QuotientFilter } from "bloomline";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { filterOf, goldens } from "../golden/deleting.mjs";
import { engines } from "../support/engines.js";
import { type Fields, rewritten } from "../support/header.js";
import { murmur3 } from "../support/model.js";
import { range } from "../support/random.js";

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");
const writable = engines.filter(({ options }) => !options.shared);

describe.each(goldens)("golden file $name", (golden) => {
  const bytes = new Uint8Array(readFileSync(new URL(`../golden/${golden.name}`, import.meta.url)));

  it("is the file that was made in the beginning", () => {
    expect(createHash("sha256").update(bytes).digest("hex")).toBe(golden.sha256);
  });

  it.each(writable)("is what the same keys give today on $name", ({ options }) => {
    expect(hex(filterOf(golden, options).toBytes())).toBe(hex(bytes));
  });

  it.each(engines)("opens on $name and holds its keys", ({ options }) => {
    const filter = openFilter(bytes, options);
    expect(filter).toBeInstanceOf(golden.type);
    expect(filter.hasMany(golden.keys.slice(golden.deleted)).includes(0)).toBe(false);
    expect(hex(filter.toBytes())).toBe(hex(bytes));
  });
});

/** The same header over other lines, checksums and all. */
function withLines(bytes: Uint8Array, lines: Uint8Array, fields: Fields = {}): Uint8Array {
  const copy = Uint8Array.from(bytes);
  copy.set(lines, 64);
  return rewritten(copy, { checksum: murmur3(lines).h1, ...fields });
}

function expectCorrupt(bytes: Uint8Array, options = {}): void {
  expect(() => openFilter(bytes, options)).toThrow(expect.objectContaining({ code: "ERR_CORRUPT" }));
}

const counting = CountingBloomFilter.from(range(0, 50)).toBytes();
const cuckoo = CuckooFilter.from(range(0, 50)).toBytes();
const quotient = QuotientFilter.from(range(0, 50)).toBytes();

describe("a header that no bloomline writes is refused", () => {
  it.each<[string, Uint8Array, Fields]>([
    ["counters of 5 bits", counting, { reserved: 5 }],
    ["counters of no bits", counting, { reserved: 0 }],
    ["no hashes", counting, { hashes: 0 }],
    ["33 hashes", counting, { hashes: 33 }],
    ["another field in use", counting, { reservedToo: 1 }],
    ["no buckets", cuckoo, { reserved: 0 }],
    ["more buckets than lines", cuckoo, { reserved: 1_000_000 }],
    ["buckets whose size overflows", cuckoo, { reserved: 0xffffffff }],
    ["fingerprints of 9 bits", cuckoo, { reservedToo: 9 }],
    ["a third bucket", cuckoo, { hashes: 3 }],
    ["more keys than slots", cuckoo, { ones: 1000n }],
    ["a wrong number of keys in buckets", cuckoo, { ones: 49n }],
    ["one slot", quotient, { reserved: 1 }],
    ["more slots than lines", quotient, { reserved: 1_000_000 }],
    ["no remainder", quotient, { reservedToo: 0 }],
    ["remainders of 33 bits", quotient, { reservedToo: 33 }],
    ["every slot full", quotient, { ones: 59n }],
    ["a wrong number of keys in runs", quotient, { ones: 49n }],
  ])("%s", (_, bytes, fields) => {
    expect(openFilter(bytes)).toMatchObject({ count: 50 });
    expectCorrupt(rewritten(bytes, fields));
  });

  it.each([
    ["cuckoo", cuckoo],
    ["quotient", quotient],
  ])("something behind the last slot of a %s filter", (_, bytes) => {
    const lines = bytes.slice(64);
    lines[lines.length - 1] = 1;
    expectCorrupt(withLines(bytes, lines));
  });
});

describe("lines that no bloomline writes", () => {
  it("do not make a quotient filter search for ever", () => {
    const { length } = quotient;
    for (const byte of [0xff, 0x55, 0xaa, 0x11, 0x22, 0x44]) {
      for (const ones of [0n, 50n, 58n])
        expectCorrupt(withLines(quotient, new Uint8Array(length - 64).fill(byte), { ones }));
    }
    let refused = 0;
    const change = fc.record({ bit: fc.nat(59 * 10 - 1) });
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 6 }), fc.bigInt(47n, 53n), (changes, ones) => {
        const lines = quotient.slice(64);
        for (const { bit } of changes) lines[bit >> 3]! ^= 1 << (bit & 7);
        const bytes = withLines(quotient, lines, { ones });
        let filter: QuotientFilter;
        try {
          filter = openFilter(bytes) as QuotientFilter;
        } catch (error) {
          expect(error).toMatchObject({ code: "ERR_CORRUPT" });
          refused++;
          return;
        }
        // What is let in can be worked with, and what it lists is what it holds.
        expect([...filter.fingerprints()].length).toBe(filter.count);
        const rebuilt = new QuotientFilter({ capacity: 50 }).merge(filter);
        expect(rebuilt.equals(filter)).toBe(true);
        filter.add("key");
        expect(filter.delete("key")).toBe(true);
        expect(filter.equals(rebuilt)).toBe(true);
      }),
      { numRuns: 3000 },
    );
    expect(refused).toBeGreaterThan(2000);
  });

  it("leave a cuckoo filter with what they say", () => {
    const lines = cuckoo.slice(64);
    lines[0]! ^= 0xff;
    const { count } = CuckooFilter.fromBytes(cuckoo);
    const full = [count - 1, count, count + 1].filter((n) => {
      try {
        return CuckooFilter.fromBytes(withLines(cuckoo, lines, { ones: BigInt(n) })).count === n;
      } catch {
        return false;
      }
    });
    expect(full.length).toBe(1);
  });
});
