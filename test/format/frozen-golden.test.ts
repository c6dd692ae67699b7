import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { type EngineOptions, type Filter, type Key, openFilter } from "bloomline";
import { describe, expect, it } from "vitest";
import { frozenGoldens } from "../golden/frozen.mjs";
import { engines } from "../support/engines.js";

/** The sum of every file as it was made in the beginning. */
const sums: Record<string, string> = {
  "fuse-empty.bloom": "8cac08415f93305b63e1bfbe2469e4e345caa7bbb0cd5668fab9b7e5921565f2",
  "fuse8.bloom": "c143501e96fc0e53ba280b3dfeb85a5d6ebba5a404137bd650c459f8d26f15cb",
  "fuse16-4.bloom": "ebea1af86cdd406ca225cb0a730b97507bdeae9dbfaaa6ceaff42e4e740e5d32",
  "fuse32.bloom": "c4ecf5b270372a108a4606ea24039a59a9e21aaaf617cf9378de3378523032c5",
  "golomb-empty.bloom": "2923671741d2b873961c9a590c8c78a112417c37f1e77465dba758776bc4d83d",
  "golomb.bloom": "2b60aa4765017f11f9c17e4ed8cb1dac1ad6314bd0b665bf55888b2df964db17",
  "golomb-room.bloom": "90168170e174b33c1c4e78743f109874a687898a2d37ed61bad33a99ec3138d5",
  "bloomier.bloom": "308539336b75c9d7f95e3dec2d9eedb6a859aa526b69403e940950e783484cb9",
  "bloomier-wide.bloom": "07aa862f3a3bff38cfb9dd685a45eb9134fe83d9549114d23d7cd76665ed7767",
  "approximator8.bloom": "4420af96503c93f9e27ded4d16339bb5fef575ab64a397549cee07336e6e21da",
  "approximator16.bloom": "9560338b37c56dcfb44697e02eacb087e0e49b0834d1760e5b2eb50f7dca6a36",
  "bank.bloom": "e6956ebba65bedc30b33d7477364da99cec38a30ee519b4e59608747090c5057",
};

interface Golden {
  readonly name: string;
  readonly keys: readonly Key[];
  readonly build: (engine: EngineOptions) => Filter;
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");

describe.each(frozenGoldens as unknown as Golden[])("golden file $name", ({ name, keys, build }) => {
  const bytes = new Uint8Array(readFileSync(new URL(`../golden/${name}`, import.meta.url)));

  it("is the file that was made in the beginning", () => {
    expect(createHash("sha256").update(bytes).digest("hex")).toBe(sums[name]);
  });

  it.each(engines)("is what the same keys give today on $name", ({ options }) => {
    expect(hex(build(options).toBytes())).toBe(hex(bytes));
  });

  it.each(engines)("opens on $name and holds its keys", ({ options }) => {
    const filter = openFilter(bytes, options);
    expect(filter.engine).toBe(options.engine);
    expect(filter.hasMany(keys).includes(0)).toBe(false);
    expect(hex(filter.toBytes())).toBe(hex(bytes));
  });
});
