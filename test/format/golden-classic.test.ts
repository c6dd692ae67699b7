import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { type EngineOptions, openFilter, TieredFilter } from "bloomline";
import { describe, expect, it } from "vitest";
import { goldens, make } from "../golden/classic.mjs";
import { engines } from "../support/engines.js";

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");

describe.each(goldens)("golden file $name", (golden) => {
  const bytes = new Uint8Array(readFileSync(new URL(`../golden/${golden.name}`, import.meta.url)));
  const isComposite = !("family" in golden.type);
  const ways = engines.filter(({ options }) => !(isComposite && options.shared));

  it("is the file that was made in the beginning", () => {
    expect(createHash("sha256").update(bytes).digest("hex")).toBe(golden.sha256);
  });

  it.each(ways)("is what the same keys give today on $name", ({ options }) => {
    expect(hex(make(golden, options as EngineOptions).toBytes())).toBe(hex(bytes));
  });

  it.each(ways)("opens on $name", ({ options }) => {
    const filter = openFilter(bytes, options);
    expect(filter).toBeInstanceOf(golden.type);
    expect(filter.engine).toBe(options.engine);
    expect(hex(filter.toBytes())).toBe(hex(bytes));
    // A stable filter forgets, and by the clock of today the aging one is long over.
    if (!/stable|aging/.test(golden.name)) expect(filter.hasMany(golden.keys).includes(0)).toBe(false);
    if (filter instanceof TieredFilter) expect(filter.hot.count).toBe(7);
  });
});
