import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BloomFilter, BloomlineError } from "bloomline";
import { loadFilter, type Progress, saveFilter } from "bloomline/node";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { engines } from "../support/engines.js";
import { rewritten } from "../support/header.js";
import { range } from "../support/random.js";

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "bloomline-"));
  path = join(folder, "filter.bloom");
});
afterEach(() => rm(folder, { recursive: true }));

const small = BloomFilter.from(["a", "b", "c"]);
/** Several times what is read or written at once. */
function large(options = {}): BloomFilter {
  const filter = new BloomFilter({ capacity: 10_000_000, ...options });
  filter.addMany(range(0, 500_000));
  return filter;
}

describe.each(engines)("a file on $name", ({ options }) => {
  it("holds what toBytes gives", async () => {
    const filter = BloomFilter.from(range(0, 5000), { ...options, seed: 4 });
    await saveFilter(filter, path);
    expect(Buffer.compare(await readFile(path), filter.toBytes())).toBe(0);
    expect(await readdir(folder)).toEqual(["filter.bloom"]);
  });

  it.each(engines)("loads into $name", async ({ options: other }) => {
    const filter = BloomFilter.from(range(0, 5000), { ...options, errorRate: 1e-5 });
    await saveFilter(filter, path);
    const loaded = (await loadFilter(path, other)) as BloomFilter;
    expect(loaded).toBeInstanceOf(BloomFilter);
    expect(loaded).toMatchObject({ engine: other.engine, shared: other.shared, errorRate: 1e-5, capacity: 5000 });
    expect(loaded.equals(filter)).toBe(true);
    expect(loaded.count).toBe(filter.count);
    expect(loaded.hasMany(range(0, 5000)).includes(0)).toBe(false);
  });

  it("may be many chunks long, and tells how far it is", async () => {
    const filter = large(options);
    for (const work of [saveFilter.bind(null, filter, path), loadFilter.bind(null, path)]) {
      const seen: Progress[] = [];
      const result = await work({ ...options, onProgress: (progress) => seen.push({ ...progress }) });
      expect(seen.length).toBeGreaterThan(2);
      expect(seen.every(({ total }) => total === 64 + filter.byteLength)).toBe(true);
      expect(seen.every(({ bytes }, i) => bytes > (seen[i - 1]?.bytes ?? 0))).toBe(true);
      expect(seen.at(-1)!.bytes).toBe(64 + filter.byteLength);
      if (result) expect(result.equals(filter)).toBe(true);
    }
    expect((await stat(path)).size).toBe(64 + filter.byteLength);
  });
});

describe("saveFilter", () => {
  it("replaces an older file", async () => {
    await saveFilter(large(), path);
    await saveFilter(small, path);
    expect((await loadFilter(path)).equals(small)).toBe(true);
    expect(await readdir(folder)).toEqual(["filter.bloom"]);
  });

  it("takes a name without a folder", async () => {
    const before = process.cwd();
    process.chdir(folder);
    try {
      await saveFilter(small, "here.bloom");
      expect((await loadFilter("here.bloom")).equals(small)).toBe(true);
    } finally {
      process.chdir(before);
    }
  });

  /** The old file is intact and nothing lies beside it. */
  async function expectUntouched() {
    expect(Buffer.compare(await readFile(path), small.toBytes())).toBe(0);
    expect(await readdir(folder)).toEqual(["filter.bloom"]);
  }

  it("leaves the old file as it was when it is stopped", async () => {
    await saveFilter(small, path);
    await expect(saveFilter(large(), path, { signal: AbortSignal.abort() })).rejects.toThrow(
      expect.objectContaining({ name: "AbortError" }),
    );
    await expectUntouched();

    const reason = new Error("enough");
    const midway = new AbortController();
    const onProgress = ({ bytes, total }: Progress) => bytes > total / 2 && midway.abort(reason);
    await expect(saveFilter(large(), path, { signal: midway.signal, onProgress })).rejects.toBe(reason);
    await expectUntouched();

    const atTheEnd = new AbortController();
    const last = ({ bytes, total }: Progress) => bytes === total && atTheEnd.abort(reason);
    await expect(saveFilter(large(), path, { signal: atTheEnd.signal, onProgress: last })).rejects.toBe(reason);
    await expectUntouched();
  });

  it("leaves the old file as it was when something fails", async () => {
    await saveFilter(small, path);
    const onProgress = () => {
      throw new Error("no");
    };
    await expect(saveFilter(large(), path, { onProgress })).rejects.toThrow("no");
    await expectUntouched();
  });

  it("fails where there is no such folder, or where the path is one", async () => {
    await expect(saveFilter(small, join(folder, "none", "f.bloom"))).rejects.toThrow(/ENOENT/);
    await expect(saveFilter(small, folder)).rejects.toThrow();
    expect(await readdir(folder)).toEqual([]);
  });

  it("may run many times at once on one path", async () => {
    const filters = Array.from({ length: 20 }, (_, i) => BloomFilter.from(range(i, i + 1000)));
    await Promise.all(filters.map((filter) => saveFilter(filter, path)));
    const loaded = (await loadFilter(path)) as BloomFilter;
    expect(filters.filter((filter) => filter.equals(loaded)).length).toBe(1);
    expect(await readdir(folder)).toEqual(["filter.bloom"]);
  });

  it("holds at least every key that was added before it", async () => {
    const filter = large();
    let more = 500_000;
    const onProgress = () => {
      filter.addMany(range(more, more + 1000));
      more += 1000;
    };
    await saveFilter(filter, path, { onProgress });
    const loaded = await loadFilter(path);
    expect(loaded.hasMany(range(0, 500_000)).includes(0)).toBe(false);
  });

  it("refuses a disposed filter, also one disposed of meanwhile", async () => {
    const disposed = BloomFilter.from(["x"]);
    disposed.dispose();
    await expect(saveFilter(disposed, path)).rejects.toThrow(expect.objectContaining({ code: "ERR_DISPOSED" }));

    const filter = BloomFilter.from(range(0, 1000));
    const saving = saveFilter(filter, path);
    filter.dispose();
    // Another filter moves in where it was.
    const next = BloomFilter.from(range(5000, 6000));
    await expect(saving).rejects.toThrow(expect.objectContaining({ code: "ERR_DISPOSED" }));
    expect(next.has(5000)).toBe(true);
    expect(await readdir(folder)).toEqual([]);
  });
});

describe("loadFilter", () => {
  async function expectCode(bytes: Uint8Array, code: string) {
    await writeFile(path, bytes);
    await expect(loadFilter(path)).rejects.toBeInstanceOf(BloomlineError);
    await expect(loadFilter(path)).rejects.toMatchObject({ code });
  }

  it("refuses what is not a whole filter", async () => {
    const good = BloomFilter.from(range(0, 1000)).toBytes();
    for (const length of [0, 1, 3, 4, 63, 64, 65, good.length - 1]) {
      await expectCode(good.subarray(0, length), "ERR_TRUNCATED");
    }
    await expectCode(Uint8Array.of(...good, 0), "ERR_CORRUPT");
    await expectCode(new TextEncoder().encode("a text of some length, but no filter"), "ERR_FOREIGN");
    await expectCode(rewritten(good, { version: 9 }), "ERR_VERSION");
    await expectCode(rewritten(good, { kind: 99 }), "ERR_KIND");
    await expectCode(rewritten(good, { lines: 67_000_000 }), "ERR_TRUNCATED");
    await expectCode(rewritten(good, { lines: 0xffff_ffff }), "ERR_CORRUPT");
    for (const at of [5, 20, 64, 700, good.length - 1]) {
      const bad = Uint8Array.from(good);
      bad[at]! ^= 0x10;
      await expectCode(bad, "ERR_CORRUPT");
    }
  });

  it("refuses what is not there, and a folder", async () => {
    await expect(loadFilter(path)).rejects.toThrow(/ENOENT/);
    await expect(loadFilter(folder)).rejects.toThrow();
  });

  it("stops when told to", async () => {
    await saveFilter(large(), path);
    await expect(loadFilter(path, { signal: AbortSignal.abort() })).rejects.toMatchObject({ name: "AbortError" });
    const midway = new AbortController();
    const reason = new Error("enough");
    const onProgress = ({ bytes, total }: Progress) => bytes > total / 2 && midway.abort(reason);
    await expect(loadFilter(path, { signal: midway.signal, onProgress })).rejects.toBe(reason);
  });
});
