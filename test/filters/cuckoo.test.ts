import { BloomlineError, CuckooFilter, openFilter } from "bloomline";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { engines } from "../support/engines.js";
import { numbers, range } from "../support/random.js";
import { countMembers, deviation } from "../support/rates.js";

const writable = engines.filter(({ options }) => !options.shared);
const widths = [8, 12, 16, 32] as const;
const linesOf = (filter: CuckooFilter) => Buffer.from(filter.toBytes().subarray(64));

/** What the slots hold, read from the bytes as docs/FORMAT.md describes them. */
function slotsOf(filter: CuckooFilter): number[] {
  const lines = linesOf(filter);
  const { fingerprintBits: bits, slots } = filter;
  return Array.from({ length: slots }, (_, slot) => {
    let value = 0;
    for (let i = 0; i < bits; i++) {
      const bit = slot * bits + i;
      value += ((lines[bit >> 3]! >> (bit & 7)) & 1) * 2 ** i;
    }
    return value;
  });
}

/** A key's fingerprint and its two buckets, as docs/FORMAT.md has them. */
function placeOf(filter: CuckooFilter, key: number): { fingerprint: number; buckets: [number, number] } {
  const { h1, h2 } = filter.hash(key);
  const { buckets, fingerprintBits } = filter;
  const fingerprint = 1 + Number(((h2 & 0xffffffffn) * (2n ** BigInt(fingerprintBits) - 1n)) >> 32n);
  let x = Math.imul(fingerprint ^ (fingerprint >>> 16), 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
  x = (x ^ (x >>> 16)) >>> 0;
  const mixed = Number((BigInt(x) * BigInt(buckets)) >> 32n);
  const first = Number(((h1 >> 32n) * BigInt(buckets)) >> 32n);
  return { fingerprint, buckets: [first, (mixed - first + buckets) % buckets] };
}

describe.each(writable)("CuckooFilter on $name", ({ options }) => {
  describe.each(widths)("with fingerprints of %i bits", (fingerprintBits) => {
    it("agrees with a multiset through adds, deletes, saves and loads", () => {
      const step = fc.record({ key: fc.nat(300), action: fc.constantFrom("add", "add", "delete", "reload") });
      const geometry = fc.record({ capacity: fc.integer({ min: 1, max: 150 }), seed: fc.bigInt(0n, 2n ** 64n - 1n) });
      fc.assert(
        fc.property(geometry, fc.array(step, { maxLength: 250 }), (geometry, steps) => {
          let filter = new CuckooFilter({ ...geometry, fingerprintBits, onFull: "false", ...options });
          const there = new Map<number, number>();
          let count = 0;
          for (const { key, action } of steps) {
            const times = there.get(key) ?? 0;
            if (action === "add") {
              const before = filter.toBytes();
              if (filter.add(key)) {
                there.set(key, times + 1);
                count++;
              } else {
                expect(Buffer.compare(filter.toBytes(), before)).toBe(0);
              }
            } else if (action === "delete" && times > 0) {
              expect(filter.delete(key)).toBe(true);
              there.set(key, times - 1);
              count--;
            } else if (action === "reload") {
              filter = CuckooFilter.fromBytes(filter.toBytes(), { ...options, onFull: "false" });
            }
          }
          expect(filter.count).toBe(count);
          for (const [key, times] of there) if (times > 0) expect(filter.has(key)).toBe(true);
          // Every fingerprint is in one of its two buckets, and there is nothing else.
          const slots = slotsOf(filter);
          expect(slots.filter(Boolean).length).toBe(count);
          for (const [key, times] of there) {
            if (times === 0) continue;
            const { fingerprint, buckets } = placeOf(filter, key);
            const held = new Set(buckets.flatMap((bucket) => slots.slice(bucket * 4, bucket * 4 + 4)));
            expect(held.has(fingerprint)).toBe(true);
          }
        }),
        { numRuns: 40 },
      );
    });

    it("is empty again, byte for byte, when all is deleted", () => {
      const filter = new CuckooFilter({ capacity: 3000, fingerprintBits, ...options });
      const empty = filter.toBytes();
      filter.addMany(range(0, 3000));
      expect(range(0, 3000).filter((key) => filter.delete(key)).length).toBe(3000);
      expect(filter.toBytes()).toEqual(empty);
    });

    it("holds a key eight times, and refuses the ninth without a change", () => {
      const filter = new CuckooFilter({ capacity: 1000, fingerprintBits, ...options });
      for (let i = 0; i < 8; i++) expect(filter.add("key")).toBe(true);
      const before = filter.toBytes();
      expect(() => filter.add("key")).toThrow(expect.objectContaining({ code: "ERR_FULL" }));
      expect(() => filter.addHash(filter.hash("key"))).toThrow(BloomlineError);
      expect(filter.toBytes()).toEqual(before);
      for (let i = 8; i > 0; i--) {
        expect(filter.has("key")).toBe(true);
        expect(filter.delete("key")).toBe(true);
      }
      expect(filter.has("key")).toBe(false);
      expect(filter.delete("key")).toBe(false);
    });
  });

  it("stays as it was when it is full", () => {
    const filter = new CuckooFilter({ capacity: 1000, ...options });
    let added = 0;
    expect(() => {
      for (; ; added++) filter.add(added);
    }).toThrow(/The filter is full: \d+ keys in 1068 slots, made for 1000. Make a larger one, or delete keys first./);
    expect(added).toBeGreaterThanOrEqual(1000);
    expect(filter.count).toBe(added);
    let refused = 0;
    for (const key of range(1_000_000, 1_002_000)) {
      const before = filter.toBytes();
      try {
        filter.add(key);
        expect(filter.delete(key)).toBe(true);
        expect(filter.count).toBe(added);
      } catch (error) {
        expect((error as BloomlineError).code).toBe("ERR_FULL");
        expect(Buffer.compare(filter.toBytes(), before)).toBe(0);
        refused++;
      }
    }
    expect(refused).toBeGreaterThan(100);
    expect(countMembers(filter, 0, added)).toBe(added);
  });

  it("ends a batch at the first key for which there is no room", () => {
    const quiet = new CuckooFilter({ capacity: 2000, onFull: "false", ...options });
    const added = quiet.addMany(range(0, 5000));
    expect(added).toBe(quiet.count);
    expect(added).toBeLessThan(5000);
    expect(countMembers(quiet, 0, added)).toBe(added);
    const before = quiet.toBytes();
    expect(quiet.add(added)).toBe(false);
    expect(quiet.toBytes()).toEqual(before);
    expect(quiet.clone().add(added)).toBe(false);
    const loud = new CuckooFilter({ capacity: 2000, ...options });
    expect(() => loud.addMany([...range(0, 5000)])).toThrow(`the first ${added} are in`);
    expect(loud.toBytes()).toEqual(before);
    const oneByOne = new CuckooFilter({ capacity: 2000, ...options });
    for (let key = 0; key < added; key++) oneByOne.add(key);
    expect(oneByOne.toBytes()).toEqual(before);
  });

  it("works in one bucket and in a few", () => {
    for (const capacity of [1, 2, 3, 4, 5]) {
      const filter = new CuckooFilter({ capacity, fingerprintBits: 16, onFull: "false", ...options });
      const added = [...range(0, 100)].filter((key) => filter.add(key));
      expect(added.length).toBeGreaterThanOrEqual(capacity);
      expect(added.every((key) => filter.has(key))).toBe(true);
      expect(filter.count).toBe(added.length);
    }
  });
});

describe("no false negative", () => {
  // 2^18 buckets, and numbers of them that are not a power of two: one even, one odd, one prime.
  const trials = [
    { buckets: 2 ** 18, fingerprintBits: 8 },
    { buckets: 2 ** 18, fingerprintBits: 12 },
    { buckets: 300_000, fingerprintBits: 12 },
    { buckets: 555_555, fingerprintBits: 16 },
    { buckets: 262_147, fingerprintBits: 8 },
    { buckets: 262_147, fingerprintBits: 32 },
  ] as const;
  it.each(trials)("in $buckets buckets at 95 % load with $fingerprintBits bits", ({ buckets, fingerprintBits }) => {
    // The sizing adds three buckets to what the load asks for.
    const capacity = Math.floor((buckets - 3) * 4 * 0.95);
    const filter = new CuckooFilter({ capacity, fingerprintBits, seed: 7 });
    expect(filter.buckets).toBe(buckets);
    expect(filter.addMany(range(0, capacity))).toBe(capacity);
    expect(filter.fillRatio).toBeCloseTo(0.95, 4);
    expect(countMembers(filter, 0, capacity)).toBe(capacity);
    // A third goes, others come, again and again; whoever stays is found.
    const next = numbers(buckets);
    const keys = range(0, capacity);
    let fresh = capacity;
    let gone = 0;
    let came = 0;
    for (let i = 0; i < capacity / 3; i++) {
      const at = next() % capacity;
      gone += Number(filter.delete(keys[at]!));
      keys[at] = fresh++;
      came += Number(filter.add(keys[at]!));
    }
    expect([gone, came]).toEqual([fresh - capacity, fresh - capacity]);
    expect(filter.hasMany(keys).indexOf(0)).toBe(-1);
    expect(filter.count).toBe(capacity);
    expect(openFilter(filter.toBytes()).hasMany(keys).indexOf(0)).toBe(-1);
  });

  it("in two million strings, one by one and in a batch", () => {
    const keys = Array.from({ length: 2_000_000 }, (_, i) => `https://example.com/item/${i}`);
    const filter = CuckooFilter.from(keys, { errorRate: 0.001 });
    expect(filter.hasMany(keys).indexOf(0)).toBe(-1);
    expect(keys.findIndex((key) => !filter.has(key))).toBe(-1);
  });
});

describe("rates of CuckooFilter", () => {
  it.each([
    { fingerprintBits: 8, asked: 1_000_000 },
    { fingerprintBits: 12, asked: 4_000_000 },
    { fingerprintBits: 16, asked: 20_000_000 },
  ] as const)("with $fingerprintBits bits", ({ fingerprintBits, asked }) => {
    const filter = new CuckooFilter({ capacity: 1_000_000, fingerprintBits, seed: 3 });
    filter.addMany(range(0, 1_000_000));
    const wrong = countMembers(filter, 1_000_000, 1_000_000 + asked);
    expect(Math.abs(deviation(wrong, asked, filter.currentErrorRate))).toBeLessThan(4);
    expect(filter.currentErrorRate).toBeCloseTo(filter.errorRate, 12);
    expect(filter.bitsPerKey / (fingerprintBits / 0.95)).toBeCloseTo(1, 3);
  });

  it("with 32 bits has none to be seen", () => {
    const filter = new CuckooFilter({ capacity: 200_000, fingerprintBits: 32 });
    filter.addMany(range(0, 200_000));
    expect(countMembers(filter, 200_000, 5_000_000)).toBe(0);
  });

  it.each([
    [0.5, 8],
    [0.03, 8],
    [0.01, 12],
    [0.001, 16],
    [1e-4, 32],
    [2e-9, 32],
  ])("of %d ask for fingerprints of %i bits", (errorRate, bits) => {
    const filter = new CuckooFilter({ capacity: 1000, errorRate });
    expect(filter).toMatchObject({ fingerprintBits: bits, errorRate });
  });
});

describe("options of CuckooFilter", () => {
  it.each([
    [{ capacity: 0 }, RangeError, /capacity is 0/],
    [{ capacity: 10, errorRate: 1e-9 }, RangeError, /errorRate is 1e-9; it must be a number from 1.8e-9 to 0.5/],
    [{ capacity: 10, fingerprintBits: 10 }, RangeError, /fingerprintBits is 10; it must be 8, 12, 16 or 32/],
    [{ capacity: 10, fingerprintBits: 8, errorRate: 0.1 }, TypeError, /give one of them/],
    [{ capacity: 10, onFull: "grow" }, TypeError, /onFull is "grow"; it must be "throw" or "false"/],
    [{ capacity: 5e9 }, RangeError, /just under 4 GiB hold \d+/],
    [{ capacity: 10, shared: true }, BloomlineError, /for reading only/],
    [null, TypeError, /options is null/],
  ])("%o are refused", (options, type, message) => {
    expect(() => new CuckooFilter(options as never)).toThrow(type);
    expect(() => new CuckooFilter(options as never)).toThrow(message);
  });
});
