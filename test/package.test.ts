// The package as a user gets it: packed, installed in an empty folder, imported and compiled against.

import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { inChild, root, runProgram } from "./support/child.js";

const npm = (args: readonly string[], cwd: string) => runProgram("npm", args, cwd);

let folder: string;
let packed: string[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "bloomline-package-"));
  // Without scripts: the build is there, and building anew would pull dist/ away from under other tests.
  const [pack] = JSON.parse(await npm(["pack", "--json", "--ignore-scripts", "--pack-destination", folder], root));
  packed = pack.files.map(({ path }: { path: string }) => path);
  await writeFile(join(folder, "package.json"), JSON.stringify({ name: "empty", private: true, type: "module" }));
  await npm(["install", "--no-audit", "--no-fund", "--prefer-offline", join(folder, pack.filename)], folder);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

/** Adds, asks, saves where it can, and tells what came of it. */
const use = `
const filter = BloomFilter.from(["a", "b", 3]);
report([filter.engine, ...filter.hasMany(["a", "b", 3n, "c"]), openFilter(filter.toBytes()).has("b")]);`;

describe("the packed package, installed", () => {
  it("holds what it needs and nothing of the workshop", () => {
    expect(packed).toEqual(
      expect.arrayContaining([
        "package.json",
        "LICENSE",
        "dist/index.js",
        "dist/index.d.ts",
        "dist/js.js",
        "dist/js.d.ts",
      ]),
    );
    expect(
      packed.filter((path) => !/^(dist|docs)\/|^(package\.json|README\.md|CHANGELOG\.md|LICENSE)$/.test(path)),
    ).toEqual([]);
    expect(packed.filter((path) => /\.(test|tsbuildinfo)|node_modules/.test(path))).toEqual([]);
  });

  it("brings one dependency", async () => {
    const installed = await readdir(join(folder, "node_modules"));
    expect(installed.filter((name) => !name.startsWith(".")).sort()).toEqual(["@assemblyscript", "bloomline"]);
  });

  it("works as bloomline", async () => {
    const code = `import { BloomFilter, openFilter } from "bloomline";${use}`;
    expect(await inChild(code, { cwd: folder })).toEqual(["wasm", 1, 1, 1, 0, true]);
  });

  it("works as bloomline/js", async () => {
    const code = `import { BloomFilter, openFilter } from "bloomline/js";${use}`;
    expect(await inChild(code, { cwd: folder })).toEqual(["js", 1, 1, 1, 0, true]);
  });

  it("works as bloomline/node", async () => {
    const code = `
      import { BloomFilter } from "bloomline";
      import { loadFilter, saveFilter } from "bloomline/node";
      const filter = BloomFilter.from(["a"]);
      await saveFilter(filter, "saved.bloom");
      const loaded = await loadFilter("saved.bloom");
      report([loaded instanceof BloomFilter, loaded.equals(filter), loaded.has("a"), loaded.has("b")]);`;
    expect(await inChild(code, { cwd: folder })).toEqual([true, true, true, false]);
  });

  it("shows nothing else", async () => {
    const code = `
      const inner = await import("bloomline/dist/engine/arena.js").catch((error) => error.code);
      const { version } = (await import("bloomline/package.json", { with: { type: "json" } })).default;
      report([inner, typeof version]);`;
    expect(await inChild(code, { cwd: folder })).toEqual(["ERR_PACKAGE_PATH_NOT_EXPORTED", "string"]);
  });

  it("has types that a strict compiler takes, and that reject misuse", async () => {
    const consumer = `
      import { BloomFilter, BloomlineError, type Filter, type Key, type KeyHash, openFilter, type PackedKeys } from "bloomline";
      import { BloomFilter as PlainFilter } from "bloomline/js";
      import { loadFilter, saveFilter } from "bloomline/node";

      const filter: BloomFilter = new BloomFilter({ capacity: 1000, errorRate: 0.01, seed: 5n, engine: "auto" });
      const key: Key = "key";
      const added: boolean = filter.add(key);
      const packed: PackedKeys = { bytes: new Uint8Array(2), offsets: Uint32Array.of(0, 1, 2) };
      const answers: Uint8Array = filter.hasMany(packed);
      const hash: KeyHash = filter.hash(5);
      const opened: Filter = openFilter(filter.toBytes());
      filter.merge(filter.clone()).intersect(filter);
      const plain: PlainFilter = PlainFilter.from([1, 2n, "three", new Uint8Array(4)]);
      await saveFilter(filter, "f.bloom", { onProgress: ({ bytes, total }) => bytes / total });
      const loaded: Filter = await loadFilter("f.bloom", { engine: "js" });
      const code = (error: BloomlineError) => error.code === "ERR_CORRUPT";
      export { added, answers, code, hash, loaded, opened, plain };

      // @ts-expect-error: a capacity is needed
      new BloomFilter({ errorRate: 0.01 });
      // @ts-expect-error: a boolean is no key
      filter.add(true);
      // @ts-expect-error: one key is not many
      filter.addMany(5);
      // @ts-expect-error: there is no such engine
      new BloomFilter({ capacity: 1, engine: "gpu" });
      // @ts-expect-error: what a filter is does not change
      filter.capacity = 5;
    `;
    await writeFile(join(folder, "consumer.ts"), consumer);
    const options = {
      strict: true,
      noEmit: true,
      target: "ES2022",
      module: "NodeNext",
      types: [],
      skipLibCheck: false,
    };
    const lib = ["ES2022", "ESNext.Disposable", "DOM"];
    await writeFile(
      join(folder, "tsconfig.json"),
      JSON.stringify({ compilerOptions: { ...options, lib }, files: ["consumer.ts"] }),
    );
    const require = createRequire(import.meta.url);
    const tsc = join(dirname(require.resolve("typescript/package.json")), "bin/tsc");
    expect(await runProgram(process.execPath, [tsc, "-p", folder], folder)).toBe("");
  });
});

describe("inside the repository", () => {
  it.each(["bloomline", "bloomline/js"])("%s names the package itself", async (name) => {
    const code = `import { BloomFilter, openFilter } from "${name}";${use}`;
    expect(await inChild(code)).toEqual([name === "bloomline" ? "wasm" : "js", 1, 1, 1, 0, true]);
  });

  it("bloomline/node does, too", async () => {
    const code = `
      import { loadFilter, saveFilter } from "bloomline/node";
      report([typeof loadFilter, typeof saveFilter]);`;
    expect(await inChild(code)).toEqual(["function", "function"]);
  });
});
