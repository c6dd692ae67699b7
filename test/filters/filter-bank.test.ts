import { BloomFilter, errorRateAt, FilterBank, openFilter } from "bloomline";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { engines } from "../support/engines.js";
import { range } from "../support/random.js";

const geometry = { capacity: 40, errorRate: 0.05, seed: 9 };

/** What a bank is to its user: filters of their own, in places. */
class Model {
  readonly filters = new Map<number, BloomFilter>();

  at(index: number): BloomFilter {
    let filter = this.filters.get(index);
    if (!filter) this.filters.set(index, (filter = new BloomFilter(geometry)));
    return filter;
  }

  which(key: number): number[] {
    return this.indices.filter((index) => this.at(index).has(key));
  }

  get indices(): number[] {
    return [...this.filters.keys()].sort((a, b) => a - b);
  }
}

const index = fc.nat(9).map((i) => [0, 1, 2, 31, 32, 33, 127, 128, 199, 200][i]!);
const step = fc.oneof(
  fc.record({ do: fc.constant("add" as const), index, key: fc.nat(99) }),
  fc.record({ do: fc.constant("addMany" as const), index, keys: fc.array(fc.nat(99), { maxLength: 20 }) }),
  fc.record({ do: fc.constant("drop" as const), index }),
  fc.record({
    do: fc.constant("replace" as const),
    index,
    keys: fc.array(fc.nat(99), { maxLength: 20 }),
    whole: fc.boolean(),
  }),
  fc.record({ do: fc.constant("create" as const) }),
  fc.record({ do: fc.constant("resize" as const), filters: fc.constantFrom(201, 256, 257, 600) }),
  fc.record({ do: fc.constant("reload" as const) }),
);

describe.each(engines)("on $name", ({ options }) => {
  it("answers as so many filters of their own, whatever is done to it", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
        let bank = new FilterBank({ filters: 201, ...geometry, ...options });
        const model = new Model();
        for (const action of steps) {
          if (action.do === "add") {
            expect(bank.add(action.index, action.key)).toBe(model.at(action.index).add(action.key));
          } else if (action.do === "addMany") {
            const changed = bank.addMany(action.index, action.keys);
            if (action.keys.length > 0) expect(changed).toBe(model.at(action.index).addMany(action.keys));
          } else if (action.do === "drop") {
            bank.drop(action.index);
            model.filters.delete(action.index);
          } else if (action.do === "replace") {
            const filter = new BloomFilter(geometry);
            filter.addMany(action.keys);
            bank.replace(action.index, action.whole ? filter : action.keys);
            model.filters.set(action.index, filter);
          } else if (action.do === "create") {
            const created = bank.create();
            expect(model.filters.has(created)).toBe(false);
            for (let i = 0; i < created; i++) expect(model.filters.has(i)).toBe(true);
            model.at(created);
          } else if (action.do === "resize") {
            bank = bank.resize(action.filters);
            expect(bank.filters).toBe(action.filters);
          } else {
            bank = openFilter(bank.toBytes(), options) as FilterBank;
          }
        }
        expect(bank.indices).toEqual(model.indices);
        for (let key = 0; key < 130; key++) {
          expect(bank.which(key)).toEqual(model.which(key));
          expect(bank.whichHash(bank.hash(key))).toEqual(model.which(key));
          expect(bank.has(key)).toBe(model.which(key).length > 0);
        }
        expect([...bank.hasMany(range(0, 130))]).toEqual([...range(0, 130)].map((key) => Number(bank.has(key))));
        for (const i of model.indices) expect(bank.filter(i).equals(model.at(i))).toBe(true);
      }),
      { numRuns: 40, seed: 5 },
    );
  });

  it.each([1, 128, 129, 256, 257, 512, 513, 2000])(
    "has room for %d filters, the last as good as the first",
    (filters) => {
      const bank = new FilterBank({ filters, capacity: 10, ...options });
      bank.add(0, "first");
      bank.add(filters - 1, "last");
      expect(bank.which("first")).toContain(0);
      expect(bank.which("last")).toContain(filters - 1);
      expect(bank.indices).toEqual(filters === 1 ? [0] : [0, filters - 1]);
      expect(() => bank.add(filters, "beyond")).toThrow(/index is/);
    },
  );

  it("asks with many positions, too", () => {
    const tight = { capacity: 20, errorRate: 1e-6, ...options };
    const bank = new FilterBank({ filters: 40, ...tight });
    expect(bank.hashes).toBeGreaterThan(14);
    const filters = Array.from({ length: 40 }, (_, i) =>
      BloomFilter.from(range(i * 10, i * 10 + 20), { ...tight, shared: false }),
    );
    filters.forEach((filter, i) => {
      bank.addMany(i, range(i * 10, i * 10 + 20));
      expect(bank.filter(i).equals(filter)).toBe(true);
    });
    for (let key = 0; key < 500; key++) {
      expect(bank.which(key)).toEqual(filters.flatMap((filter, i) => (filter.has(key) ? [i] : [])));
    }
  });

  it("keeps a filter whose replacement fails, and takes an index again as if new", () => {
    const bank = new FilterBank({ filters: 3, ...geometry, ...options });
    bank.addMany(1, ["old", "older"]);
    const before = bank.toBytes();
    function* broken() {
      yield "new";
      throw new Error("the disk is gone");
    }
    expect(() => bank.replace(1, broken())).toThrow("the disk is gone");
    expect(() => bank.replace(1, ["new", 1.5])).toThrow(/keys\[1\] is 1.5/);
    expect(bank.toBytes()).toEqual(before);
    bank.replace(1, new Set(["new"]));
    expect([bank.which("old"), bank.which("new")]).toEqual([[], [1]]);
    bank.drop(1);
    expect(bank.create()).toBe(0);
    expect(bank.create()).toBe(1);
    expect(bank.which("new")).toEqual([]);
    bank.drop(0);
    bank.drop(1);
    expect(bank.toBytes()).toEqual(new FilterBank({ filters: 3, ...geometry }).toBytes());
  });

  it("is of no use once disposed of", () => {
    const bank = new FilterBank({ filters: 4, ...geometry, ...options });
    bank.dispose();
    const uses = [
      () => bank.which("a"),
      () => bank.add(0, "a"),
      () => bank.addMany(0, ["a"]),
      () => bank.drop(0),
      () => bank.replace(0, ["a"]),
      () => bank.create(),
      () => bank.indices,
      () => bank.filter(0),
      () => bank.resize(8),
      () => bank.toBytes(),
    ];
    for (const use of uses) expect(use).toThrow(expect.objectContaining({ code: "ERR_DISPOSED" }));
  });
});

it("meets its rate in every filter", () => {
  const bank = new FilterBank({ filters: 100, capacity: 1000, errorRate: 0.01 });
  for (let i = 0; i < 100; i++) bank.addMany(i, range(i * 1000, (i + 1) * 1000));
  let found = 0;
  const asked = 20_000;
  for (let i = 0; i < asked; i++) found += bank.which(1_000_000 + i).length;
  // A hundred filters of 20 lines scatter by some 2 % together, about a formula that errs on the safe side for so few.
  const rate = errorRateAt(1000, bank.filterLines, bank.hashes);
  const ratio = found / (rate * asked * 100);
  expect(ratio).toBeGreaterThan(0.85);
  expect(ratio).toBeLessThan(1.05);
});

it("says when it is full, and what does not fit", () => {
  const bank = new FilterBank({ filters: 2, ...geometry });
  expect([bank.create(), bank.create()]).toEqual([0, 1]);
  expect(() => bank.create()).toThrow(/All 2 places are taken/);
  expect(() => bank.resize(1)).toThrow(/filter 1 is in use/);
  bank.drop(1);
  expect(bank.resize(1).indices).toEqual([0]);
  const other = new BloomFilter({ ...geometry, seed: 1 });
  expect(() => bank.replace(0, other)).toThrow(expect.objectContaining({ code: "ERR_INCOMPATIBLE" }));
  expect(() => bank.replace(0, "key" as never)).toThrow(/must be an iterable/);
  for (const bad of [-1, 2, 0.5, "0"]) expect(() => bank.add(bad as number, "a")).toThrow(/index is/);
});

it.each([
  [{ filters: 0, capacity: 10 }, /filters is 0; it must be a whole number from 1 to 65536/],
  [{ filters: 70_000, capacity: 10 }, /filters is 70000/],
  [{ filters: 10, capacity: 0 }, /capacity is 0/],
  [{ filters: 65_536, capacity: 1_000_000 }, /Use several banks/],
])("%o is refused", (options, message) => {
  expect(() => new FilterBank(options)).toThrow(message);
});

it("gives the same bytes on every engine", () => {
  const [first, ...others] = engines.map(({ options }) => {
    const bank = new FilterBank({ filters: 300, ...geometry, ...options });
    for (let i = 0; i < 300; i += 7) bank.addMany(i, range(i, i + 40));
    return bank.toBytes();
  });
  for (const other of others) expect(other).toEqual(first);
});
