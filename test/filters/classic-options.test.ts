import { BloomlineError, ClassicBloomFilter, openFilter, PartitionedBloomFilter, StableBloomFilter } from "bloomline";
import { describe, expect, it } from "vitest";
import { type Fields, rewritten } from "../support/header.js";

describe("ClassicBloomFilter", () => {
  it("is made of bits and hashes too", () => {
    const filter = new ClassicBloomFilter({ bits: 9_585_059, hashes: 7 });
    expect(filter).toMatchObject({ bits: 9_585_059, hashes: 7, capacity: 949_122 });
    expect(filter.errorRate).toBeCloseTo(0.5 ** 7, 4);
    expect(new ClassicBloomFilter({ bits: 1000, capacity: 100 })).toMatchObject({ hashes: 7, bits: 1000 });
    expect(ClassicBloomFilter.from(["a"], { bits: 4096, hashes: 3 })).toMatchObject({ capacity: 1, hashes: 3 });
  });

  it.each([
    [{}, /^capacity is undefined; it must be a whole number from 1 up/],
    [{ capacity: 10, hashes: 3 }, /^hashes goes with bits/],
    [{ bits: 100, errorRate: 0.1 }, /^errorRate and bits say the same/],
    [{ bits: 1 }, /^bits is 1; it must be a whole number from 2 to \d+/],
    [{ bits: 2 ** 36 }, /^bits is 68719476736/],
    [{ bits: 10.5 }, /^bits is 10.5/],
    [{ bits: 100, hashes: 33 }, /^hashes is 33; it must be a whole number from 1 to 32/],
    [{ capacity: 1e12 }, /^capacity is 1000000000000; at \d+\.\d+ bits a key, just under 4 GiB hold \d+/],
    // Here numbers are so coarse that a search by single bits would never end.
    [{ capacity: 1e15 }, /^capacity is 1000000000000000; at \d+\.\d+ bits a key, just under 4 GiB hold \d+/],
    [{ capacity: Number.MAX_SAFE_INTEGER, errorRate: 1e-9 }, /^capacity is 9007199254740991; at \d+\.\d+ bits a key/],
    [{ capacity: 10, errorRate: 0.6 }, /^errorRate is 0.6/],
    [{ capacity: 10, seed: null }, /^seed is null/],
    [null, /^options is null; it must be an object such as/],
  ])("refuses %o", (options, message) => {
    expect(() => new ClassicBloomFilter(options as never)).toThrow(message);
  });
});

describe("StableBloomFilter and PartitionedBloomFilter", () => {
  it.each([
    [{ capacity: 10, forgetRate: 0 }, /^forgetRate is 0; it must be a number from 1e-6 to 0.5/],
    [{ capacity: 10, cellBits: 3 }, /^cellBits is 3; it must be 1, 2, 4 or 8/],
    [{ capacity: 1e11 }, /^capacity is 100000000000; that takes \d+ cells/],
    [{ capacity: 0 }, /^capacity is 0/],
    [undefined, /^options is undefined/],
  ])("refuse %o", (options, message) => {
    expect(() => new StableBloomFilter(options as never)).toThrow(message);
  });

  it("say what is wrong with their size", () => {
    expect(() => new PartitionedBloomFilter({ capacity: 1e12 })).toThrow(/just under 4 GiB hold/);
    expect(() => new PartitionedBloomFilter({ capacity: 1.5 })).toThrow(/^capacity is 1.5/);
  });
});

const classic = ClassicBloomFilter.from(["a", "b"]);
const partitioned = PartitionedBloomFilter.from(["a", "b"]);
const stable = new StableBloomFilter({ capacity: 10 });
stable.addMany(["a", "b"]);

describe("a header that no bloomline writes", () => {
  it.each<[string, { toBytes(): Uint8Array }, Fields]>([
    ["more bits than lines", classic, { reserved: 10_000 }],
    ["one bit", classic, { reserved: 1 }],
    ["bits beyond 4 GiB", classic, { reservedToo: 9 }],
    ["no hashes", classic, { hashes: 0 }],
    ["a slice too long", partitioned, { reserved: 5000 }],
    ["empty slices", partitioned, { reserved: 0 }],
    ["more than a slice", partitioned, { reservedToo: 1 }],
    ["cells beyond the lines", stable, { reserved: 1e6 }],
    ["cells of 3 bits", stable, { reservedToo: 3 * 2 ** 24 + 5 }],
    ["nothing that fades", stable, { reservedToo: 4 * 2 ** 24 }],
    ["more that fades than there are cells", stable, { reservedToo: 4 * 2 ** 24 + 0xffffff }],
    ["33 hashes", stable, { hashes: 33 }],
  ])("is refused: %s", (_, filter, fields) => {
    const bytes = rewritten(filter.toBytes(), fields);
    expect(() => openFilter(bytes)).toThrow(BloomlineError);
    expect(() => openFilter(bytes)).toThrow(expect.objectContaining({ code: "ERR_CORRUPT" }));
    expect(() => openFilter(filter.toBytes())).not.toThrow();
  });

  it("is not taken for another kind", () => {
    for (const [type, other] of [
      [ClassicBloomFilter, partitioned],
      [PartitionedBloomFilter, stable],
      [StableBloomFilter, classic],
    ] as const) {
      expect(() => (type as typeof ClassicBloomFilter).fromBytes(other.toBytes())).toThrow(
        expect.objectContaining({ code: "ERR_KIND" }),
      );
    }
  });
});
