import { BloomFilter, BloomlineError, openFilter } from "bloomline";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { engines } from "../support/engines.js";
import { type Fields, rewritten } from "../support/header.js";

const filter = BloomFilter.from(
  Array.from({ length: 150 }, (_, i) => i),
  { errorRate: 0.001, seed: 9 },
);
const good = filter.toBytes();

/** Both ways in, and what they throw. */
function errorsOf(bytes: Uint8Array): { code: string; message: string }[] {
  return [() => openFilter(bytes), () => BloomFilter.fromBytes(bytes)].map((open) => {
    try {
      open();
    } catch (error) {
      expect(error).toBeInstanceOf(BloomlineError);
      return error as BloomlineError;
    }
    throw new Error("The bytes were taken for a filter.");
  });
}

function expectCode(bytes: Uint8Array, code: string, message: string | RegExp = ""): void {
  for (const error of errorsOf(bytes)) {
    expect(error.code).toBe(code);
    expect(error.message).toMatch(message);
  }
}

describe("what is not a whole filter is refused", () => {
  it("cut at any byte", () => {
    for (let length = 0; length < good.length; length++) {
      expectCode(
        good.subarray(0, length),
        "ERR_TRUNCATED",
        /^Here are \d+ bytes; the header (alone has 64|announces \d+)/,
      );
    }
  });

  it("with bytes added", () => {
    expectCode(Uint8Array.of(...good, 0), "ERR_CORRUPT", /^Here are \d+ bytes; the header announces \d+/);
  });

  it("with any bit flipped", () => {
    const codes = new Map<string, number>();
    for (let bit = 0; bit < good.length * 8; bit++) {
      const bad = Uint8Array.from(good);
      bad[bit >> 3]! ^= 1 << (bit & 7);
      const [{ code }] = errorsOf(bad) as [BloomlineError];
      codes.set(code, (codes.get(code) ?? 0) + 1);
    }
    // Four bytes of magic, one of version, one of hash; damage everywhere else.
    expect(Object.fromEntries(codes)).toEqual({
      ERR_FOREIGN: 32,
      ERR_VERSION: 16,
      ERR_CORRUPT: good.length * 8 - 48,
    });
  });

  it("with any bytes changed, in header and lines alike", () => {
    const change = fc.record({ at: fc.nat(good.length - 1), by: fc.integer({ min: 1, max: 255 }) });
    fc.assert(
      fc.property(fc.uniqueArray(change, { minLength: 1, maxLength: 8, selector: ({ at }) => at }), (changes) => {
        const bad = Uint8Array.from(good);
        for (const { at, by } of changes) bad[at]! ^= by;
        for (const { code } of errorsOf(bad)) expect(["ERR_FOREIGN", "ERR_VERSION", "ERR_CORRUPT"]).toContain(code);
      }),
      { numRuns: 1000 },
    );
  });

  it("with lines in another order", () => {
    const bad = Uint8Array.from(good);
    bad.copyWithin(64, 128, 192);
    bad.set(good.subarray(64, 128), 128);
    expectCode(bad, "ERR_CORRUPT", "The checksum of the lines does not match");
  });

  it("that is something else", () => {
    expectCode(
      new TextEncoder().encode("PNG or text or whatever, but longer than a header: ".repeat(9)),
      "ERR_FOREIGN",
    );
    expectCode(new Uint8Array(1000), "ERR_FOREIGN", "it does not begin with 89 42 4c 4d");
    expectCode(new TextEncoder().encode("%PDF"), "ERR_FOREIGN");
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 4, maxLength: 300 }), (bytes) => {
        fc.pre(!(bytes[0] === 0x89 && bytes[1] === 0x42));
        expectCode(bytes, "ERR_FOREIGN");
      }),
    );
  });

  it("that is no Uint8Array", () => {
    for (const bytes of [undefined, null, "bytes", good.buffer, [...good], new Uint16Array(200), {}]) {
      for (const open of [openFilter, (b: Uint8Array) => BloomFilter.fromBytes(b)]) {
        expect(() => open(bytes as never)).toThrow(TypeError);
        expect(() => open(bytes as never)).toThrow(/^bytes is .*; it must be a Uint8Array/);
      }
    }
  });

  it.each<[string, Fields, string, RegExp]>([
    ["a future version", { version: 2 }, "ERR_VERSION", /format version 2, hash 1; this bloomline knows 1, 1\. Update/],
    ["version 0", { version: 0 }, "ERR_VERSION", /format version 0/],
    ["an unknown hash", { hash: 2 }, "ERR_VERSION", /format version 1, hash 2; this bloomline knows 1, 1\. Update/],
    ["an unknown kind", { kind: 200 }, "ERR_KIND", /kind 200/],
    ["no hashes", { hashes: 0 }, "ERR_CORRUPT", /No bloomline writes .*hashes 0,.*Fetch or build it anew/],
    ["too many hashes", { hashes: 33 }, "ERR_CORRUPT", /hashes 33,/],
    ["no lines", { lines: 0 }, "ERR_CORRUPT", /lines 0,/],
    ["absurdly many lines", { lines: 0xffffffff }, "ERR_CORRUPT", /lines 4294967295,/],
    ["4 GiB of lines", { lines: 67_000_000 }, "ERR_TRUNCATED", /announces 4288000064/],
    ["no capacity", { capacity: 0n }, "ERR_CORRUPT", /capacity 0,/],
    ["an unsafe capacity", { capacity: 2n ** 60n }, "ERR_CORRUPT", /capacity 115292150460684/],
    ["a rate of NaN", { errorRate: Number.NaN }, "ERR_CORRUPT", /errorRate NaN/],
    ["a rate of 0", { errorRate: 0 }, "ERR_CORRUPT", /errorRate 0,/],
    ["a rate of 2", { errorRate: 2 }, "ERR_CORRUPT", /errorRate 2,/],
    ["more ones than bits", { ones: 2n ** 40n }, "ERR_CORRUPT", /tally 1099511627776/],
    ["the wrong number of ones", { ones: 1n }, "ERR_CORRUPT", /checksum of the lines does not match/],
    ["another checksum", { checksum: 1n }, "ERR_CORRUPT", /checksum of the lines does not match/],
    ["reserved bytes in use", { reserved: 1 }, "ERR_CORRUPT", /No bloomline writes .*detail 1,.*detail2 0/],
    [
      "the other reserved bytes in use",
      { reservedToo: 1 },
      "ERR_CORRUPT",
      /No bloomline writes .*detail 0,.*detail2 1/,
    ],
  ])("that claims, checksum and all, %s", (_, fields, code, message) => {
    expectCode(rewritten(good, fields), code, message);
  });

  it("without allocating what it claims", () => {
    const absurd = rewritten(good, { lines: 60_000_000 });
    const before = process.memoryUsage();
    for (let i = 0; i < 1000; i++) expectCode(absurd, "ERR_TRUNCATED");
    const after = process.memoryUsage();
    expect(after.arrayBuffers + after.external - before.arrayBuffers - before.external).toBeLessThan(64e6);
  });
});

describe("a whole filter", () => {
  it("opens from any view of its bytes", () => {
    for (const before of [0, 1, 3, 8, 13]) {
      const buffer = new Uint8Array(before + good.length + 5).fill(7);
      buffer.set(good, before);
      expect(openFilter(buffer.subarray(before, before + good.length)).equals(filter)).toBe(true);
    }
    expect(openFilter(Buffer.from(good)).equals(filter)).toBe(true);
    const shared = new Uint8Array(new SharedArrayBuffer(good.length));
    shared.set(good);
    expect(openFilter(shared).equals(filter)).toBe(true);
  });

  it.each(engines)("may be larger than what is checked at a time, on $name", ({ options }) => {
    const large = new BloomFilter({ capacity: 3_000_000, ...options });
    large.addMany(Uint32Array.from({ length: 100_000 }, (_, i) => i));
    const bytes = large.toBytes();
    expect(bytes.length).toBeGreaterThan(3 << 20);
    const copy = openFilter(bytes, options) as BloomFilter;
    expect(copy.equals(large)).toBe(true);
    expect(copy.count).toBe(large.count);
    for (const at of [64, 1 << 20, (1 << 20) + 64, (2 << 20) + 63, bytes.length - 1]) {
      bytes[at]! ^= 1;
      expect(() => openFilter(bytes, options)).toThrow(expect.objectContaining({ code: "ERR_CORRUPT" }));
      bytes[at]! ^= 1;
    }
    expect(openFilter(bytes, options).equals(large)).toBe(true);
  });

  it("is not changed by what is done to the bytes or to the copy", () => {
    const bytes = filter.toBytes();
    const copy = openFilter(bytes) as BloomFilter;
    bytes.fill(0);
    expect(copy.equals(filter)).toBe(true);
    copy.add("more");
    expect(filter.toBytes()).toEqual(good);
  });
});
