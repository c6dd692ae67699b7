// Where threads put a batch's hashes: slots come back from threads that ended, and batches work where none is left.
import { existsSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { SLOT, SLOT_OWNERS_AT, SLOTS, SLOTS_AT } from "../../dist/engine/layout.js";
import { Slots } from "../../dist/engine/slots.js";
import { BloomFilter, type FilterHandle } from "../../dist/index.js";
import { messageOf, reaches, sharedNumber, startWorker } from "./threads.js";

const options = { capacity: 50_000 };
const keys = Uint32Array.from({ length: 20_000 }, (_, i) => i);
const strangers = Float64Array.from({ length: 20_000 }, (_, i) => 1e9 + i);
const NAMELESS = -1;

const ownersOf = ({ memory }: FilterHandle) => new Int32Array(memory.buffer, SLOT_OWNERS_AT, SLOTS);
const slotsOf = ({ memory }: FilterHandle) => new Slots(memory.buffer);

/** Batches on it do what they do on a local filter. */
function expectRightAnswers(filter: BloomFilter): void {
  const local = BloomFilter.from(keys, options);
  filter.addMany(keys);
  expect(filter.equals(local)).toBe(true);
  expect(filter.count).toBe(local.count);
  expect(filter.hasMany(keys)).toEqual(local.hasMany(keys));
  expect(filter.hasMany(strangers)).toEqual(local.hasMany(strangers));
}

test("a batch gives its slot back", () => {
  const filter = new BloomFilter({ ...options, shared: true });
  filter.addMany(keys);
  filter.hasMany(keys);
  expect(ownersOf(filter.share()).every((owner) => owner === 0)).toBe(true);
});

test("a slot that another thread holds is left alone", () => {
  const filter = new BloomFilter({ ...options, shared: true });
  const handle = filter.share();
  const slot = slotsOf(handle).claim();
  const staged = new Uint8Array(handle.memory.buffer, SLOTS_AT + slot * SLOT, SLOT);
  staged.fill(0xa5);
  expectRightAnswers(filter);
  expect(staged.every((byte) => byte === 0xa5)).toBe(true);
});

test("no two claims give the same slot, and the table ends where it ends", () => {
  const slots = slotsOf(new BloomFilter({ ...options, shared: true }).share());
  const claimed = Array.from({ length: SLOTS }, () => slots.claim());
  expect(new Set(claimed).size).toBe(SLOTS);
  expect(Math.min(...claimed)).toBe(0);
  expect(slots.claim()).toBe(-1);
  slots.release(77);
  expect(slots.claim()).toBe(77);
});

test("with every slot taken, by threads without a name, batches work key by key", () => {
  const filter = new BloomFilter({ ...options, shared: true });
  const owners = ownersOf(filter.share()).fill(NAMELESS);
  expectRightAnswers(filter);
  expect(owners.every((owner) => owner === NAMELESS)).toBe(true);
});

describe.skipIf(process.platform !== "linux")("on Linux, slots of threads that ended come back", () => {
  let dead: number;

  beforeAll(async () => {
    const handle = new BloomFilter({ ...options, shared: true }).share();
    const worker = startWorker("batches", { handle, begun: sharedNumber(), blocks: 1 });
    dead = await messageOf<number>(worker);
    await worker.terminate();
    expect(existsSync(`/proc/self/task/${dead}`)).toBe(false);
  });

  test("when no other is free", () => {
    const filter = new BloomFilter({ ...options, shared: true });
    const owners = ownersOf(filter.share()).fill(NAMELESS);
    owners[100] = dead;
    expectRightAnswers(filter);
    expect(owners[100]).toBe(0);
    expect(owners.filter((owner) => owner === NAMELESS).length).toBe(SLOTS - 1);
  });

  test("a thousand times over", () => {
    const { memory } = new BloomFilter({ ...options, shared: true }).share();
    const slots = new Slots(memory.buffer);
    const owners = new Int32Array(memory.buffer, SLOT_OWNERS_AT, SLOTS);
    for (let death = 0; death < 1000; death++) {
      const slot = slots.claim();
      expect(slot).toBeGreaterThanOrEqual(0);
      owners[slot] = dead;
    }
  });

  test("from real threads that were ended in the middle of a batch", async () => {
    const filter = new BloomFilter({ ...options, shared: true });
    const owners = ownersOf(filter.share());
    const held = () => owners.filter((owner) => owner !== 0).length;
    for (let attempt = 0; attempt < 100 && held() < 3; attempt++) {
      const begun = sharedNumber();
      const worker = startWorker("batches", { handle: filter.share(), begun, blocks: Infinity });
      await reaches(begun, 1);
      await worker.terminate();
    }
    expect(held(), "slots that ended threads kept").toBe(3);
    const kept = owners.findIndex((owner) => owner !== 0);
    for (let i = 0; i < SLOTS; i++) if (owners[i] === 0) owners[i] = NAMELESS;
    expectRightAnswers(filter);
    expect(owners[kept]).toBe(0);
  });
});

test("a thousand workers that come and go, every third one killed, take nothing with them", async () => {
  const filter = new BloomFilter({ ...options, shared: true });
  const handle = filter.share();
  let killed = 0;
  const comeAndGo = async (number: number) => {
    const begun = sharedNumber();
    const kill = number % 3 === 0;
    const worker = startWorker("batches", { handle, begun, blocks: kill ? Infinity : 2 });
    if (kill) {
      await reaches(begun, 1);
      killed++;
    } else {
      await messageOf(worker);
    }
    await worker.terminate();
  };
  for (let number = 0; number < 1000; number += 8) {
    await Promise.all([0, 1, 2, 3, 4, 5, 6, 7].map((i) => comeAndGo(number + i)));
  }
  expect(killed).toBe(334);
  // Only those killed can have kept one, and all of those threads have ended.
  const left = ownersOf(handle).filter((owner) => owner !== 0);
  expect(left.length).toBeLessThanOrEqual(killed);
  if (process.platform === "linux") {
    expect(left.filter((owner) => existsSync(`/proc/self/task/${owner}`))).toEqual(Int32Array.of());
  }
  expect(filter.hasMany(keys).every((answer) => answer === 1)).toBe(true);
  expect(filter.equals(BloomFilter.from(keys, options))).toBe(true);
}, 600_000);
