// Threads that count up and down in the same few lines lose no key and delete none twice; filters that move their keys are
// shared for reading only.
import { describe, expect, test } from "vitest";
import { LOCK_AT } from "../../dist/engine/layout.js";
import { Lock } from "../../dist/engine/lock.js";
import { CountingBloomFilter, CuckooFilter, QuotientFilter } from "../../dist/index.js";
import { range } from "../support/random.js";
import { runWorkers, startWorker } from "./threads.js";
import { newGate } from "./workers/gate.mjs";

const THREADS = 3;
const ROUNDS = 200;
const options = { capacity: 400, errorRate: 1e-4, seed: 8 };
const residents = Array.from({ length: 100 }, (_, i) => `resident ${i}`);

/** Keys that no other keys make a member, so that each can be deleted once and no more. */
function guestsOf(filter: CountingBloomFilter): string[] {
  const others = filter.clone();
  for (let thread = 0; thread < THREADS; thread++) {
    for (let i = 0; i < 50; i++) others.add(`of thread ${thread}: ${i}`);
  }
  const guests = Array.from({ length: 60 }, (_, i) => `guest ${i}`);
  const alone = guests.filter((key) => !others.has(key));
  for (const key of alone) others.add(key);
  return alone.filter((key) => others.delete(key) && !others.has(key) && others.add(key));
}

async function race(control: boolean) {
  const filter = new CountingBloomFilter({ ...options, shared: true });
  filter.addMany(residents);
  const before = filter.toBytes();
  const guests = guestsOf(filter);
  const common = {
    handle: filter.share(),
    gate: newGate(),
    threads: THREADS,
    rounds: ROUNDS,
    residents,
    guests,
    control,
  };
  const results = await runWorkers<{ deleted: number; missed: number }>(
    "deleter",
    Array.from({ length: THREADS }, (_, thread) => ({ ...common, thread })),
  );
  const sum = (what: "deleted" | "missed") => results.reduce((all, result) => all + result[what], 0);
  const isAsBefore = Buffer.compare(filter.toBytes(), before) === 0;
  return { deleted: sum("deleted"), missed: sum("missed"), expected: guests.length * ROUNDS, isAsBefore };
}

describe("threads that add to and delete from one CountingBloomFilter", () => {
  test("delete every key once, miss none, and leave it as it was", async () => {
    const { deleted, missed, expected, isAsBefore } = await race(false);
    expect(expected).toBeGreaterThan(40 * ROUNDS);
    expect(deleted).toBe(expected);
    expect(missed).toBe(0);
    expect(isAsBefore).toBe(true);
  });

  test("would delete some twice without the lock", async () => {
    for (let go = 0; go < 50; go++) {
      const { deleted, expected, isAsBefore } = await race(true);
      if (deleted !== expected || !isAsBefore) return;
    }
    throw new Error("The control has never failed: this race is none.");
  });

  test("are refused writing where they attached for reading", () => {
    const filter = new CountingBloomFilter({ ...options, shared: true });
    filter.add("key");
    const reader = CountingBloomFilter.attach(filter.share(), { readonly: true });
    expect(reader.has("key")).toBe(true);
    for (const write of [() => reader.delete("key"), () => reader.add("key"), () => reader.clear()]) {
      expect(write).toThrow(expect.objectContaining({ code: "ERR_READONLY" }));
    }
    expect(filter.delete("key")).toBe(true);
    expect(reader.has("key")).toBe(false);
    expect(reader.count).toBe(0);
  });
});

describe("the lock", () => {
  test("is taken over from a thread that has ended", async () => {
    const filter = new CountingBloomFilter({ ...options, shared: true });
    filter.add("key");
    const owner = new Int32Array(filter.share().memory.buffer, LOCK_AT, 1);
    const worker = startWorker("lock-holder", { handle: filter.share() });
    await new Promise((resolve) => worker.once("message", resolve));
    expect(owner[0]).not.toBe(0);
    await worker.terminate();
    expect(filter.delete("key")).toBe(true);
    expect(owner[0]).toBe(0);
  });

  test("is given up by one who fails, and not waited for for ever", () => {
    const { memory } = new CountingBloomFilter({ ...options, shared: true }).share();
    const lock = new Lock(memory.buffer);
    expect(() =>
      lock.hold(() => {
        throw new Error("midway");
      }),
    ).toThrow("midway");
    expect(lock.hold(() => 5)).toBe(5);
    // Someone without a name, as threads are where there is no /proc.
    new Int32Array(memory.buffer, LOCK_AT, 1)[0] = -1;
    expect(() => lock.hold(() => 5)).toThrow(expect.objectContaining({ code: "ERR_LOCKED" }));
  });
});

/** Both kinds, seen as the one that can do more. */
const types = [QuotientFilter, CuckooFilter] as unknown as (typeof QuotientFilter)[];

describe.each(types.map((type) => ({ name: type.name, type })))("$name", ({ type }) => {
  test("is not made for threads to write", () => {
    expect(() => new type({ capacity: 10, shared: true })).toThrow(expect.objectContaining({ code: "ERR_READONLY" }));
    expect(() => type.from(["key"], { shared: true })).toThrow(/for reading only/);
  });

  test("is shared for reading once it is filled", () => {
    const filter = new type({ capacity: 2000 });
    filter.addMany(range(0, 2000));
    const shared = type.fromBytes(filter.toBytes(), { shared: true });
    const reader = type.attach(shared.share());
    for (const one of [shared, reader, shared.clone()]) {
      expect(one.shared).toBe(true);
      expect(one.count).toBe(2000);
      expect(one.hasMany(range(0, 4000))).toEqual(filter.hasMany(range(0, 4000)));
      const writes = [
        () => one.add(1),
        () => one.addHash(one.hash(1)),
        () => one.addMany([1]),
        () => one.delete(1),
        () => one.deleteHash(one.hash(1)),
        () => one.clear(),
      ];
      for (const write of writes) expect(write).toThrow(expect.objectContaining({ code: "ERR_READONLY" }));
      expect(one.toBytes()).toEqual(filter.toBytes());
    }
  });
});

test("a shared QuotientFilter is listed and grows, and is not merged into", () => {
  const filter = QuotientFilter.from(range(0, 2000));
  const shared = QuotientFilter.fromBytes(filter.toBytes(), { shared: true });
  expect([...shared.fingerprints()]).toEqual([...filter.fingerprints()]);
  expect(shared.grow().equals(filter.grow())).toBe(true);
  expect(() => shared.merge(filter)).toThrow(expect.objectContaining({ code: "ERR_READONLY" }));
});
