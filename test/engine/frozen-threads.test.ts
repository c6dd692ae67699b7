// Frozen filters between threads: built in one, asked in others, on the same memory.
import { Worker } from "node:worker_threads";
import { BloomierMap, CompactApproximator, FilterBank, FuseFilter, GolombSet } from "bloomline";
import { describe, expect, it } from "vitest";

const dist = new URL("../../dist/index.js", import.meta.url).href;
const keys = Array.from({ length: 5000 }, (_, i) => `key ${i}`);
const asked = [...keys, ...Array.from({ length: 5000 }, (_, i) => `stranger ${i}`)];

/** Runs code in a worker that has attached the filter, and returns what it makes of it. */
async function inWorker(type: string, handle: unknown, code: string, readonly = true): Promise<unknown> {
  const program = `
    const { parentPort, workerData } = require("node:worker_threads");
    import(${JSON.stringify(dist)}).then((bloomline) => {
      const { handle, asked } = workerData;
      const filter = bloomline[${JSON.stringify(type)}].attach(handle, { readonly: ${readonly} });
      parentPort.postMessage((${code})(filter, asked));
    });`;
  const worker = new Worker(program, { eval: true, workerData: { handle, asked } });
  return new Promise((resolve, reject) => worker.once("message", resolve).once("error", reject));
}

const bank = new FilterBank({ filters: 70, capacity: 200, shared: true });
for (const [i, key] of keys.entries()) bank.add(i % 70, key);
const approximator = new CompactApproximator({ capacity: 5000, shared: true });
for (const [i, key] of keys.entries()) approximator.put(key, (i % 250) + 1);

const subjects = [
  FuseFilter.from(keys, { shared: true }),
  GolombSet.from(keys, { shared: true }),
  BloomierMap.from(
    keys.map((key, i) => [key, i]),
    { valueBits: 13, shared: true },
  ),
  approximator,
  bank,
];

describe.each(subjects.map((filter) => ({ name: filter.constructor.name, filter })))("$name", ({ name, filter }) => {
  it("answers alike in another thread, without a copy", async () => {
    const answers = await inWorker(
      name,
      filter.share(),
      "(filter, asked) => [filter.hasMany(asked), filter.count, filter.toBytes()]",
    );
    const count = "count" in filter ? filter.count : undefined;
    expect(answers).toEqual([filter.hasMany(asked), count, filter.toBytes()]);
  });

  it("is not to be written to where it was attached readonly", async () => {
    const code = `(filter) => ["put", "add", "clear"].filter((name) => name in filter).map((name) => {
      try { name === "put" ? filter.put("a", 1) : name === "add" ? filter.add(0, "a") : filter.clear(); return "wrote"; } catch ({ code }) { return code; }
    })`;
    const before = filter.toBytes();
    expect(await inWorker(name, filter.share(), code)).not.toContain("wrote");
    expect(filter.toBytes()).toEqual(before);
  });
});

it("values come from other threads, too", async () => {
  const [map, which, least] = await Promise.all([
    inWorker("BloomierMap", subjects[2]!.share(), "(filter, asked) => asked.map((key) => filter.get(key))"),
    inWorker("FilterBank", bank.share(), "(filter, asked) => asked.map((key) => filter.which(key))"),
    inWorker("CompactApproximator", approximator.share(), "(filter, asked) => asked.map((key) => filter.get(key))"),
  ]);
  expect((map as number[]).slice(0, 5000)).toEqual(keys.map((_, i) => i));
  expect(which).toEqual(asked.map((key) => bank.which(key)));
  expect(least).toEqual(asked.map((key) => approximator.get(key)));
});

it("writers in many threads lose nothing", async () => {
  const cells = new CompactApproximator({ capacity: 5000, valueBits: 16, shared: true });
  const filters = new FilterBank({ filters: 40, capacity: 5000, shared: true });
  const put = (i: number) =>
    `(filter, asked) => { for (let i = ${i}; i < 5000; i++) filter.put(asked[i], (i * ${i + 1}) % 60000); return true; }`;
  const add = (i: number) =>
    `(filter, asked) => { for (let i = 0; i < 5000; i++) filter.add(${i} * 8 + (i % 8), asked[i]); return true; }`;
  await Promise.all(
    [0, 1, 2, 3].flatMap((i) => [
      inWorker("CompactApproximator", cells.share(), put(i), false),
      inWorker("FilterBank", filters.share(), add(i), false),
    ]),
  );
  const alone = new CompactApproximator({ capacity: 5000, valueBits: 16 });
  const ownFilters = new FilterBank({ filters: 40, capacity: 5000 });
  for (const t of [0, 1, 2, 3]) {
    for (let i = t; i < 5000; i++) alone.put(keys[i]!, (i * (t + 1)) % 60_000);
    for (const [i, key] of keys.entries()) ownFilters.add(t * 8 + (i % 8), key);
  }
  expect(cells.toBytes()).toEqual(alone.toBytes());
  expect(filters.toBytes()).toEqual(ownFilters.toBytes());
});
