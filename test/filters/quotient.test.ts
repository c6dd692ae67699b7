import { BloomlineError, openFilter, QuotientFilter } from "bloomline";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fingerprintOf, quotientLines } from "../support/deleting.js";
import { engines } from "../support/engines.js";
import { bytesOf, murmur3 } from "../support/model.js";
import { range } from "../support/random.js";
import { countMembers, deviation } from "../support/rates.js";

const writable = engines.filter(({ options }) => !options.shared);

function expectLines(filter: QuotientFilter, fingerprints: readonly bigint[]): void {
  expect(Buffer.compare(filter.toBytes().subarray(64), quotientLines(filter, fingerprints))).toBe(0);
}

const sorted = (fingerprints: Iterable<bigint>) => [...fingerprints].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));

describe.each(writable)("QuotientFilter on $name", ({ options }) => {
  it("has every bit where the model has it, through adds, deletes, growing, saves and loads", () => {
    const action = fc.constantFrom("add", "add", "add", "delete", "delete", "grow", "reload");
    const step = fc.record({ key: fc.nat(80), action });
    const geometry = fc.record({
      capacity: fc.integer({ min: 1, max: 60 }),
      remainderBits: fc.integer({ min: 1, max: 32 }),
      seed: fc.bigInt(0n, 2n ** 64n - 1n),
    });
    fc.assert(
      fc.property(geometry, fc.array(step, { maxLength: 200 }), (geometry, steps) => {
        let filter = new QuotientFilter({ ...geometry, onFull: "false", ...options });
        const space = filter.fingerprintSpace;
        const model: bigint[] = [];
        for (const { key, action } of steps) {
          const fingerprint = fingerprintOf(filter, murmur3(bytesOf(key), geometry.seed));
          const at = model.indexOf(fingerprint);
          if (action === "add") {
            const hasRoom = model.length < filter.slots - 1;
            expect(filter.add(key)).toBe(hasRoom);
            if (hasRoom) model.push(fingerprint);
          } else if (action === "delete") {
            expect(filter.has(key)).toBe(at >= 0);
            expect(filter.delete(key)).toBe(at >= 0);
            if (at >= 0) model.splice(at, 1);
          } else if (action === "reload") {
            filter = QuotientFilter.fromBytes(filter.toBytes(), { ...options, onFull: "false" });
          } else if (filter.remainderBits > 1 && filter.slots < 500) {
            filter = filter.grow();
          }
        }
        expectLines(filter, model);
        expect(filter.count).toBe(model.length);
        expect(filter.fingerprintSpace).toBe(space);
        expect(sorted(filter.fingerprints())).toEqual(sorted(model));
      }),
      { numRuns: 150 },
    );
  });

  it("gives the same bytes in whatever order keys come, and others go", () => {
    const one = new QuotientFilter({ capacity: 5000, seed: 1, ...options });
    const two = new QuotientFilter({ capacity: 5000, seed: 1, ...options });
    one.addMany(range(0, 5000));
    two.addMany(range(5000, 5800));
    two.addMany(range(0, 5000).reverse());
    for (const key of range(5000, 5800)) expect(two.delete(key)).toBe(true);
    expect(two.toBytes()).toEqual(one.toBytes());
  });

  it("holds a key as often as it has room", () => {
    const filter = new QuotientFilter({ capacity: 100, ...options });
    for (let i = 1; i < filter.slots; i++) expect(filter.add("key")).toBe(true);
    const before = filter.toBytes();
    expect(() => filter.add("key")).toThrow(expect.objectContaining({ code: "ERR_FULL" }));
    expect(() => filter.add("other")).toThrow(/117 keys in 118 slots, made for 100/);
    expect(filter.toBytes()).toEqual(before);
    for (let i = 1; i < filter.slots; i++) expect(filter.delete("key")).toBe(true);
    expect(filter.delete("key")).toBe(false);
    expect(filter.fillRatio).toBe(0);
  });

  it("merges what another holds, grown or not", () => {
    const make = () => new QuotientFilter({ capacity: 2000, errorRate: 1e-4, seed: 4, ...options });
    const [one, two, both] = [make(), make(), make()];
    one.addMany(range(0, 1000));
    two.addMany(range(800, 1900));
    both.addMany(range(0, 1000));
    both.addMany(range(800, 1900));
    const theirs = two.toBytes();
    expect(one.merge(two)).toBe(one);
    expect(one.toBytes()).toEqual(both.toBytes());
    expect(two.toBytes()).toEqual(theirs);
    expect(make().grow().merge(one).equals(both.grow())).toBe(true);
    expect(make().merge(one.grow().grow()).equals(both)).toBe(true);
    const before = one.toBytes();
    expect(() => one.merge(two)).toThrow(expect.objectContaining({ code: "ERR_FULL" }));
    expect(() => one.merge(two)).toThrow(/2100 and 1100 keys do not fit in 2353 slots. Merge into this.grow\(\)/);
    expect(one.toBytes()).toEqual(before);
    const twice = two.grow().merge(two).merge(two);
    expect(twice.count).toBe(3300);
    expect(two.merge(two).count).toBe(2200);
  });

  it.each([{ seed: 5 }, { capacity: 2001 }, { errorRate: 1e-3 }])("does not merge with %o", (other) => {
    const make = (more = {}) => new QuotientFilter({ capacity: 2000, errorRate: 1e-4, ...options, ...more });
    expect(() => make().merge(make(other))).toThrow(expect.objectContaining({ code: "ERR_INCOMPATIBLE" }));
    expect(() => make().merge(make(other))).toThrow(/Cannot merge: this is a QuotientFilter with slots \d+/);
    for (const nothing of [undefined, {}, "filter"]) {
      expect(() => make().merge(nothing as never)).toThrow(expect.objectContaining({ code: "ERR_INCOMPATIBLE" }));
    }
  });

  it("grows to what one of the size had been from the start", () => {
    let filter = new QuotientFilter({ capacity: 1000, remainderBits: 12, seed: 9, ...options });
    const { slots, errorRate } = filter;
    filter.addMany(range(0, 1000));
    for (let times = 1; times <= 5; times++) {
      const small = filter;
      const before = small.toBytes();
      filter = small.grow();
      expect(small.toBytes()).toEqual(before);
      expect(filter).toMatchObject({
        capacity: 1000 * 2 ** times,
        slots: slots * 2 ** times,
        remainderBits: 12 - times,
      });
      expect(filter.errorRate).toBeCloseTo(errorRate * 2 ** times, 12);
      filter.addMany(range(500 * 2 ** times, 1000 * 2 ** times));
      expect(countMembers(filter, 0, 1000 * 2 ** times)).toBe(1000 * 2 ** times);
      small.dispose();
    }
    expectLines(
      filter,
      [...range(0, 32_000)].map((key) => fingerprintOf(filter, filter.hash(key))),
    );
  });

  it("does not grow beyond its last bit", () => {
    const filter = new QuotientFilter({ capacity: 10, remainderBits: 2, ...options }).grow();
    expect(() => filter.grow()).toThrow(expect.objectContaining({ code: "ERR_FULL" }));
    expect(() => filter.grow()).toThrow(/1 bit left/);
  });

  it("that is grown to its last bit is saved and opened", () => {
    const filter = new QuotientFilter({ capacity: 10, remainderBits: 4, ...options });
    filter.addMany(range(0, 10));
    const grown = filter.grow().grow().grow();
    expect(grown).toMatchObject({ remainderBits: 1, capacity: 80 });
    expect(openFilter(grown.toBytes(), options).equals(grown)).toBe(true);
    expect(countMembers(grown, 0, 10)).toBe(10);
  });

  it("lists fingerprints while others use the engine", () => {
    const filter = new QuotientFilter({ capacity: 2000, ...options });
    const other = new QuotientFilter({ capacity: 2000, ...options });
    filter.addMany(range(0, 2000));
    const expected = sorted([...range(0, 2000)].map((key) => fingerprintOf(filter, filter.hash(key))));
    const listed: bigint[] = [];
    for (const fingerprint of filter.fingerprints()) {
      listed.push(fingerprint);
      if (listed.length < 1500) other.addMany([listed.length, `and ${listed.length}`].slice(0, 1));
    }
    expect(sorted(listed)).toEqual(expected);
    expect([...new QuotientFilter({ capacity: 5, ...options }).fingerprints()]).toEqual([]);
  });

  it("ends a batch at the first key for which there is no room", () => {
    const filter = new QuotientFilter({ capacity: 1000, onFull: "false", ...options });
    expect(filter.addMany(range(0, 5000))).toBe(filter.slots - 1);
    expect(countMembers(filter, 0, filter.slots - 1)).toBe(filter.slots - 1);
    expect(openFilter(filter.toBytes(), options).equals(filter)).toBe(true);
  });
});

describe("rates of QuotientFilter", () => {
  it.each([
    { errorRate: 0.01, remainderBits: 7, asked: 4_000_000 },
    { errorRate: 0.001, remainderBits: 10, asked: 8_000_000 },
  ])("at $errorRate", ({ errorRate, remainderBits, asked }) => {
    const filter = new QuotientFilter({ capacity: 1_000_000, errorRate, seed: 3 });
    expect(filter.remainderBits).toBe(remainderBits);
    filter.addMany(range(0, 1_000_000));
    expect(countMembers(filter, 0, 1_000_000)).toBe(1_000_000);
    const wrong = countMembers(filter, 1_000_000, 1_000_000 + asked);
    expect(wrong / asked).toBeLessThanOrEqual(errorRate);
    expect(Math.abs(deviation(wrong, asked, filter.currentErrorRate))).toBeLessThan(4);
    expect(filter.bitsPerKey / ((remainderBits + 3) / 0.85)).toBeCloseTo(1, 3);
  });
});

it("does not grow beyond the slots that a filter can have", () => {
  // Memory that nobody touched costs nothing yet.
  const filter = new QuotientFilter({ capacity: 1_850_000_000, remainderBits: 2 });
  expect(() => filter.grow()).toThrow(expect.objectContaining({ code: "ERR_FULL" }));
  expect(() => filter.grow()).toThrow(/cannot grow: 4352941178 slots of 4 bits are more than a filter can have/);
  filter.dispose();
});

describe("options of QuotientFilter", () => {
  it.each([
    [{ capacity: 0 }, RangeError, /capacity is 0/],
    [{ capacity: 10, errorRate: 1e-10 }, RangeError, /errorRate is 1e-10/],
    [{ capacity: 10, errorRate: null }, RangeError, /errorRate is null/],
    [{ capacity: 10, remainderBits: 0 }, RangeError, /remainderBits is 0; it must be a whole number from 1 to 32/],
    [{ capacity: 10, remainderBits: 33 }, RangeError, /remainderBits is 33/],
    [{ capacity: 10, remainderBits: 8, errorRate: 0.1 }, TypeError, /give one of them/],
    [{ capacity: 1e10 }, RangeError, /a filter holds \d+/],
    [{ capacity: 10, shared: true }, BloomlineError, /for reading only/],
    [undefined, TypeError, /options is undefined/],
  ])("%o are refused", (options, type, message) => {
    expect(() => new QuotientFilter(options as never)).toThrow(type);
    expect(() => new QuotientFilter(options as never)).toThrow(message);
  });
});
