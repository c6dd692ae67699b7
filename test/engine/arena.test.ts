import { BloomFilter } from "bloomline";
import { describe, expect, it } from "vitest";
import { inChild } from "../support/child.js";

interface Measured {
  /** Bytes of all lines, and what the process held beyond what it began with. */
  readonly bits: number;
  readonly full: number;
  readonly refilled: number;
  readonly disposed: number;
  readonly fullAgain: number;
  readonly collected: number;
  readonly wrong: number;
}

/** A process of its own, so that nothing but filters comes and goes in its memory. */
const measure = (engine: string) => `
import { BloomFilter, sizeFor } from "bloomline";
const N = 50_000;
// Sized once: to do it for each of them would take longer than all the rest.
const { bitsPerKey, hashes } = sizeFor(1000, 0.01);
const numbers = Uint32Array.from({ length: 1000 }, (_, i) => i);
const keysOf = (i) => numbers.subarray(i % 900, (i % 900) + 20);
const make = (_, i) => {
  const filter = new BloomFilter({ capacity: 1000, bitsPerKey, hashes, engine: "${engine}", seed: i });
  filter.addMany(keysOf(i));
  return filter;
};
/** Once garbage is gone; finalizers run between turns of the event loop. */
const held = async () => {
  for (let i = 0; i < 6; i++) {
    gc();
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};
let wrong = 0;
const check = (filters) => filters.forEach((filter, i) => {
  if (filter.hasMany(keysOf(i)).includes(0) || Math.abs(filter.count - 20) > 1) wrong++;
});

make(undefined, 0).dispose();
const before = await held();
let filters = Array.from({ length: N }, make);
const full = await held();
const bits = filters.reduce((sum, filter) => sum + filter.byteLength, 0);
check(filters);
// Every other one goes and comes back: it moves into a hole.
for (let i = 0; i < N; i += 2) filters[i].dispose();
for (let i = 0; i < N; i += 2) filters[i] = make(undefined, i);
const refilled = await held();
check(filters);
for (const filter of filters) filter.dispose();
filters = undefined;
const disposed = await held();
filters = Array.from({ length: N }, make);
const fullAgain = await held();
filters = undefined;
const collected = await held();
const since = (bytes) => bytes - before;
report({ wrong, bits, full: since(full), refilled: since(refilled), disposed: since(disposed),
  fullAgain: since(fullAgain), collected: since(collected) });
`;

it.each(["wasm", "js"])(
  "50,000 filters of 1,000 keys on %s take at most 1.5 times their bits, and give them back",
  async (engine) => {
    const memory = (await inChild(measure(engine), { flags: ["--expose-gc"] })) as Measured;
    expect(memory.wrong).toBe(0);
    expect(memory.bits).toBeGreaterThan(50_000 * 1000);
    for (const held of [memory.full, memory.refilled, memory.fullAgain]) {
      // Above the bits: the measure sees the filters.
      expect(held).toBeGreaterThan(memory.bits);
      expect(held).toBeLessThan(1.5 * memory.bits);
    }
    expect(memory.disposed).toBeLessThan(0.1 * memory.bits);
    expect(memory.collected).toBeLessThan(0.1 * memory.bits);
  },
);

describe.each(["wasm", "js"] as const)("medium filters on %s", (engine) => {
  /** 1.2 MiB: sixteen MiB have room for a dozen. */
  const make = () => new BloomFilter({ capacity: 1_000_000, engine });

  it("lie side by side and know nothing of each other, in one chunk and beyond it", () => {
    const filters = Array.from({ length: 16 }, make);
    const keysOf = (i: number) => Float64Array.from({ length: 1000 }, (_, j) => i * 1000 + j);
    for (const [i, filter] of filters.entries()) filter.addMany(keysOf(i));
    for (const [i, filter] of filters.entries()) {
      for (let other = 0; other < filters.length; other++) {
        const answers = filter.hasMany(keysOf(other));
        expect(answers.reduce((sum, answer) => sum + answer, 0)).toBe(other === i ? 1000 : 0);
      }
    }
    for (const filter of filters) filter.dispose();
  });

  it("are empty where another one was full", () => {
    const keys = Float64Array.from({ length: 100_000 }, (_, i) => i);
    // Keeps the chunk alive.
    const neighbour = make();
    for (let i = 0; i < 3; i++) {
      const filter = make();
      expect(filter.count).toBe(0);
      expect(filter.hasMany(keys).includes(1)).toBe(false);
      filter.addMany(keys);
      filter.dispose();
    }
    expect(neighbour.count).toBe(0);
    neighbour.dispose();
  });
});

it("the chunk of medium filters is used again, not made again, when it was empty", async () => {
  const { most } = (await inChild(`
import { BloomFilter } from "bloomline";
const before = process.memoryUsage().external;
let most = 0;
for (let i = 0; i < 100; i++) {
  const filter = new BloomFilter({ capacity: 1_000_000 });
  filter.add(i);
  filter.dispose();
  most = Math.max(most, process.memoryUsage().external - before);
}
report({ most });
`)) as { most: number };
  expect(most).toBeLessThan(24 * 2 ** 20);
});

it("the chunk of medium filters goes with the last of them, and no other ever comes", async () => {
  const { fullest, disposed } = (await inChild(
    `
import { BloomFilter } from "bloomline";
const external = () => process.memoryUsage().external;
const make = () => new BloomFilter({ capacity: 1_000_000 });
make().dispose();
gc();
const before = external();
// 63 MiB of filters that nobody disposes of; the program never pauses.
let fullest = 0;
for (let i = 0; i < 50; i++) {
  make().add(i);
  gc();
  fullest = Math.max(fullest, external() - before);
}
await new Promise((resolve) => setTimeout(resolve, 50));
gc();
await new Promise((resolve) => setTimeout(resolve, 50));
gc();
report({ fullest, disposed: external() - before });
`,
    { flags: ["--expose-gc"] },
  )) as { fullest: number; disposed: number };
  expect(fullest).toBeLessThan(24 * 2 ** 20);
  expect(disposed).toBeLessThan(2 ** 20);
});
