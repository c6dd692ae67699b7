import { BloomFilter, openFilter, RotatingFilter } from "bloomline";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { range } from "../support/random.js";

/** A source that gives its keys one by one, when told to. */
function gate() {
  let open!: () => void;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

describe("a rebuild", () => {
  it("begins at 70 % of capacity, keeps answering, and switches to a larger filter", async () => {
    const truth = new Set<number>();
    const switched = vi.fn();
    const filter: RotatingFilter = new RotatingFilter({ capacity: 10_000, keys: () => truth, onSwitch: switched });
    const first = filter.current;
    for (let i = 0; i < 6900; i++) filter.add(truth.add(i) && i);
    expect(filter.isRebuilding).toBe(false);
    for (let i = 6900; i < 7200; i++) filter.add(truth.add(i) && i);
    expect(filter.isRebuilding).toBe(true);
    expect(filter.current).toBe(first);
    await filter.rebuild();
    expect(filter.isRebuilding).toBe(false);
    expect(filter.capacity).toBe(20_000);
    expect(filter.current).not.toBe(first);
    expect(switched).toHaveBeenCalledExactlyOnceWith(filter.current, first);
    expect(filter.hasMany([...truth]).includes(0)).toBe(false);
    expect(Math.abs(filter.count / 7200 - 1)).toBeLessThan(0.02);
  });

  it("puts keys that are added meanwhile into both, in every way of adding", async () => {
    const { open, opened } = gate();
    async function* keys() {
      yield "old";
      await opened;
    }
    const filter = new RotatingFilter({ capacity: 100, keys });
    filter.add("old");
    const first = filter.current;
    const rebuild = filter.rebuild();
    await new Promise((resolve) => setTimeout(resolve, 5));
    filter.add("one");
    filter.addMany(new Set(["two", "three"]).values());
    filter.addHash(filter.hash("four"));
    const all = ["old", "one", "two", "three", "four"];
    expect(filter.hasMany(all)).toEqual(new Uint8Array(5).fill(1));
    expect(filter.current).toBe(first);
    open();
    await rebuild;
    expect(filter.current).not.toBe(first);
    expect(filter.hasMany(all)).toEqual(new Uint8Array(5).fill(1));
    expect(first.hasMany(all)).toEqual(new Uint8Array(5).fill(1));
  });

  it("loses no key, however often it grows under a stream of them", async () => {
    const truth: number[] = [];
    const filter = new RotatingFilter({ capacity: 100, keys: () => truth.slice(), growth: 1.5 });
    for (let i = 0; i < 20_000; i++) {
      truth.push(i);
      filter.add(i);
      if (i % 97 === 0) await new Promise((resolve) => setTimeout(resolve));
      if (i % 500 === 0) expect(filter.hasMany(truth).includes(0)).toBe(false);
    }
    while (filter.isRebuilding) await filter.rebuild();
    expect(filter.hasMany(truth).includes(0)).toBe(false);
    expect(filter.capacity).toBeGreaterThan(20_000);
  });

  it("that fails leaves the old filter in its place, and is tried again", async () => {
    const failures: unknown[] = [];
    let works = false;
    const filter: RotatingFilter = new RotatingFilter({
      capacity: 1000,
      onError: (error) => failures.push(error),
      async *keys() {
        yield 1;
        if (!works) throw new Error("the database is down");
        yield* range(0, 2000);
      },
    });
    filter.addMany(range(0, 750));
    const first = filter.current;
    await expect(filter.rebuild()).rejects.toThrow("the database is down");
    expect(failures).toHaveLength(1);
    expect(filter.current).toBe(first);
    expect(filter.isRebuilding).toBe(false);
    expect(() => filter.dropOld()).toThrow(expect.objectContaining({ code: "ERR_REBUILDING" }));
    expect(() => filter.dropOld()).toThrow(/The rebuild failed/);
    expect(filter.hasMany(range(0, 750)).includes(0)).toBe(false);
    works = true;
    filter.addMany(range(750, 800));
    expect(filter.isRebuilding).toBe(true);
    await filter.rebuild();
    expect(filter.capacity).toBe(2000);
    expect(filter.dropOld()).toBe(true);
    expect(filter.dropOld()).toBe(false);
    expect(filter.hasMany(range(0, 800)).includes(0)).toBe(false);
  });

  it("refuses to drop the old filter before it has finished", async () => {
    const { open, opened } = gate();
    const filter = new RotatingFilter({ capacity: 100, keys: () => opened.then(() => [1, 2, 3]) });
    filter.addMany([1, 2, 3]);
    const rebuild = filter.rebuild();
    expect(() => filter.dropOld()).toThrow(/has not finished, so the old filter is the only one with all keys/);
    expect(filter.hasMany([1, 2, 3])).toEqual(Uint8Array.of(1, 1, 1));
    open();
    await rebuild;
    expect(filter.dropOld()).toBe(true);
  });

  it("whose filter would be too large fails, and not the add that set it off", async () => {
    const failures: unknown[] = [];
    const filter = new RotatingFilter({
      capacity: 1e9,
      growth: 64,
      threshold: 1e-9,
      keys: () => ["a"],
      onError: (error) => failures.push(error),
    });
    expect(filter.add("a")).toBe(true);
    expect(filter.isRebuilding).toBe(true);
    await expect(filter.rebuild()).rejects.toThrow(/^capacity is 64000000000; /);
    expect(failures).toEqual([expect.any(RangeError)]);
    expect(filter.isRebuilding).toBe(false);
    expect(filter.has("a")).toBe(true);
    filter.dispose();
  });

  it("from a source without end leaves others their turn, and ends with the filter", async () => {
    let given = 0;
    const filter: RotatingFilter = new RotatingFilter({
      capacity: 100,
      *keys() {
        for (;;) yield given++;
      },
    });
    filter.add("a");
    const rebuild = filter.rebuild();
    while (given < 10_000) await new Promise((resolve) => setTimeout(resolve));
    expect(filter.isRebuilding).toBe(true);
    expect(filter.has("a")).toBe(true);
    filter.dispose();
    await expect(rebuild).rejects.toThrow(expect.objectContaining({ name: "AbortError" }));
    expect(given).toBeGreaterThan(10_000 - 1);
  });

  it.each([[5], [undefined], ["keys"], [Uint8Array.of(1)]])("does not take %o for keys", async (source) => {
    const filter = new RotatingFilter({ capacity: 100, keys: () => source as never });
    await expect(filter.rebuild()).rejects.toThrow(/it must give an iterable or an async iterable of keys/);
    expect(filter.capacity).toBe(100);
  });

  it("stops when the filter is disposed of", async () => {
    const { open, opened } = gate();
    let signal!: AbortSignal;
    const filter = new RotatingFilter({
      capacity: 100,
      async *keys(given) {
        signal = given;
        await opened;
        yield 1;
      },
    });
    const rebuild = filter.rebuild();
    await new Promise((resolve) => setTimeout(resolve));
    filter.dispose();
    expect(signal.aborted).toBe(true);
    open();
    await expect(rebuild).rejects.toThrow(expect.objectContaining({ name: "AbortError" }));
    expect(() => filter.add(1)).toThrow(expect.objectContaining({ code: "ERR_DISPOSED" }));
  });
});

describe("the grace period", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
  afterEach(() => void vi.useRealTimers());

  it("keeps the old filter for those who still hold it, and no longer", async () => {
    const filter = new RotatingFilter({ capacity: 100, keys: () => ["a"], graceMs: 5000 });
    filter.add("a");
    const first = filter.current;
    await filter.rebuild();
    vi.advanceTimersByTime(4999);
    expect(first.has("a")).toBe(true);
    expect(filter.byteLength).toBe(first.byteLength + filter.current.byteLength);
    vi.advanceTimersByTime(1);
    expect(() => first.has("a")).toThrow(expect.objectContaining({ code: "ERR_DISPOSED" }));
    expect(filter.has("a")).toBe(true);
    expect(filter.byteLength).toBe(filter.current.byteLength);
  });

  it("of an older filter ends when the next one is old", async () => {
    const filter = new RotatingFilter({ capacity: 100, keys: () => ["a"], graceMs: 5000 });
    const first = filter.current;
    await filter.rebuild();
    const second = filter.current;
    await filter.rebuild();
    expect(() => first.has("a")).toThrow(expect.objectContaining({ code: "ERR_DISPOSED" }));
    vi.advanceTimersByTime(4999);
    expect(second.has("a")).toBe(true);
    vi.advanceTimersByTime(1);
    expect(() => second.has("a")).toThrow(expect.objectContaining({ code: "ERR_DISPOSED" }));
  });
});

it("is saved as the filter that answers", () => {
  const filter = new RotatingFilter({ capacity: 100, keys: () => [], seed: 3 });
  filter.addMany(["a", "b"]);
  const copy = openFilter(filter.toBytes());
  expect(copy).toBeInstanceOf(BloomFilter);
  expect(copy.hasMany(["a", "b", "c"])).toEqual(Uint8Array.of(1, 1, 0));
  expect(filter).toMatchObject({ capacity: 100, errorRate: 0.01, seed: 3n, count: 2 });
});

it.each([
  [{ capacity: 10 }, /^keys is undefined; it must be a function/],
  [{ capacity: 10, keys: () => [], threshold: 0 }, /^threshold is 0; it must be a number above 0, at most 1/],
  [{ capacity: 10, keys: () => [], growth: 1 }, /^growth is 1; it must be a number above 1/],
  [{ capacity: 10, keys: () => [], graceMs: -1 }, /^graceMs is -1/],
  [{ capacity: 10, keys: () => [], onError: 5 }, /^onError is 5; it must be a function/],
  [{ capacity: 10, keys: () => [], onSwitch: "log" }, /^onSwitch is "log"; it must be a function/],
  [{ keys: () => [] }, /^capacity is undefined/],
  [7, /^options is 7/],
])("refuses %o", (options, message) => {
  expect(() => new RotatingFilter(options as never)).toThrow(message);
});
