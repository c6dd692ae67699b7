import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  AgingBloomFilter,
  ClassicBloomFilter,
  PartitionedBloomFilter,
  ScalableBloomFilter,
  StableBloomFilter,
  TieredFilter,
} from "bloomline";
import { loadFilter, type Progress, saveFilter } from "bloomline/node";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { range } from "../support/random.js";

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "bloomline-"));
  path = join(folder, "filter.bloom");
});
afterEach(() => rm(folder, { recursive: true }));

const make = {
  ClassicBloomFilter: () => new ClassicBloomFilter({ capacity: 6_000_000 }),
  PartitionedBloomFilter: () => new PartitionedBloomFilter({ capacity: 6_000_000 }),
  StableBloomFilter: () => new StableBloomFilter({ capacity: 600_000 }),
  ScalableBloomFilter: () => new ScalableBloomFilter({ capacity: 5_000_000 }),
  AgingBloomFilter: () => new AgingBloomFilter({ capacity: 4_000_000 }),
  TieredFilter: () => new TieredFilter({ hot: { capacity: 1000 }, cold: { capacity: 8_000_000 } }),
};

describe.each(Object.entries(make))("%s", (_, makeOne) => {
  it("is saved and loaded, and tells how far it is", async () => {
    const filter = makeOne();
    filter.addMany(range(0, 50_000));
    const bytes = filter.toBytes();
    const seen: Progress[] = [];
    await saveFilter(filter, path, { onProgress: (progress) => seen.push({ ...progress }) });
    expect(Buffer.compare(await readFile(path), bytes)).toBe(0);
    expect(seen.length).toBeGreaterThan(1);
    expect(seen.at(-1)).toEqual({ bytes: bytes.length, total: bytes.length });
    for (const engine of ["wasm", "js"] as const) {
      const loaded = await loadFilter(path, { engine });
      expect(loaded.constructor).toBe(filter.constructor);
      expect(loaded.engine).toBe(engine);
      expect(Buffer.compare(loaded.toBytes(), bytes)).toBe(0);
      loaded.dispose();
    }
    expect(await readdir(folder)).toEqual(["filter.bloom"]);
  });

  it("is refused when it is damaged, and stopped when it is told to", async () => {
    const filter = makeOne();
    const bytes = filter.toBytes();
    bytes[bytes.length - 5]! ^= 1;
    await writeFile(path, bytes);
    await expect(loadFilter(path)).rejects.toThrow(expect.objectContaining({ code: "ERR_CORRUPT" }));
    await writeFile(path, bytes.subarray(0, 1000));
    await expect(loadFilter(path)).rejects.toThrow(expect.objectContaining({ code: "ERR_TRUNCATED" }));
    for (const work of [() => saveFilter(filter, path, stopped), () => loadFilter(path, stopped)]) {
      await writeFile(path, filter.toBytes());
      await expect(work()).rejects.toThrow(expect.objectContaining({ name: "AbortError" }));
    }
    expect(await readdir(folder)).toEqual(["filter.bloom"]);
  });
});

const stopped = { signal: AbortSignal.abort() };
