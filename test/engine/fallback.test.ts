import { readFileSync } from "node:fs";
import { join } from "node:path";
import { BloomFilter } from "bloomline";
import { describe, expect, it } from "vitest";
import { inChild, root } from "../support/child.js";

/** Ways in which a runtime does not let WebAssembly run. */
const refusals = {
  "is missing": "delete globalThis.WebAssembly;",
  "refuses to compile, as under a strict CSP":
    "WebAssembly.Module = class { constructor() { throw new WebAssembly.CompileError('blocked by CSP'); } };",
};

/** Uses a filter of the default engine, asks for wasm, and tells what came of it. */
const use = `
const filter = new BloomFilter({ capacity: 2000, seed: 3 });
const keys = Array.from({ length: 1000 }, (_, i) => "key " + i);
filter.addMany(keys);
filter.addMany(Uint32Array.from({ length: 1000 }, (_, i) => i));
const codeOf = (options) => {
  try {
    return new BloomFilter({ capacity: 10, ...options }).engine;
  } catch (error) {
    return [error.name, error.code];
  }
};
report({
  engine: filter.engine,
  found: filter.hasMany(keys).reduce((sum, one) => sum + one, 0),
  bytes: Buffer.from(filter.toBytes()).toString("base64"),
  reopened: openFilter(filter.toBytes()).equals(filter),
  wasm: codeOf({ engine: "wasm" }),
  shared: codeOf({ shared: true }),
  js: codeOf({ engine: "js" }),
});`;

const here = new BloomFilter({ capacity: 2000, seed: 3, engine: "wasm" });
here.addMany(Array.from({ length: 1000 }, (_, i) => `key ${i}`));
here.addMany(Uint32Array.from({ length: 1000 }, (_, i) => i));
const same = { found: 1000, bytes: Buffer.from(here.toBytes()).toString("base64"), reopened: true, js: "js" };
const refused = ["BloomlineError", "ERR_NO_WASM"];

describe.each(Object.entries(refusals))("where WebAssembly %s", (_, refusal) => {
  it("bloomline runs in JavaScript, to the same bytes, and says no to engine: wasm", async () => {
    const code = `${refusal}\nconst { BloomFilter, openFilter } = await import("bloomline");\n${use}`;
    expect(await inChild(code)).toEqual({ engine: "js", ...same, wasm: refused, shared: refused });
  });

  it("bloomline/js does not notice", async () => {
    const code = `${refusal}\nconst { BloomFilter, openFilter } = await import("bloomline/js");\n${use}`;
    expect(await inChild(code)).toEqual({ engine: "js", ...same, wasm: refused, shared: refused });
  });
});

describe("where WebAssembly runs", () => {
  it("bloomline uses it", async () => {
    const code = `const { BloomFilter, openFilter } = await import("bloomline");\n${use}`;
    expect(await inChild(code)).toEqual({ engine: "wasm", ...same, wasm: "wasm", shared: "wasm" });
  });

  it("bloomline/js does not touch it", async () => {
    const trap = `
      globalThis.WebAssembly = new Proxy({}, { get() { throw new Error("touched"); }, has() { throw new Error("touched"); } });
      const { BloomFilter, openFilter } = await import("bloomline/js");\n${use}`;
    expect(await inChild(trap)).toEqual({ engine: "js", ...same, wasm: refused, shared: refused });
  });
});

describe("dist/js.js", () => {
  const source = readFileSync(join(root, "dist/js.js"), "utf8");

  it("has no word of WebAssembly that could run", () => {
    // Messages speak of it; code must not.
    const code = source.replace(/\/\*[\s\S]*?\*\/|\/\/.*|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`[^`]*`/g, "");
    expect(code).not.toContain("WebAssembly");
  });

  it("imports nothing", () => {
    expect(source).not.toMatch(/^\s*import\b|\bimport\(|\brequire\(/m);
  });
});
