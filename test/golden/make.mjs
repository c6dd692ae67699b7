// node test/golden/make.mjs: writes the golden files. Format v1 is for ever, so this is run for a new kind or a new
// version, and never to make a failing test pass.
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { BloomFilter } from "bloomline";
import { goldens } from "./goldens.mjs";

for (const { name, options, keys } of goldens) {
  const bytes = BloomFilter.from(keys, options).toBytes();
  writeFileSync(new URL(name, import.meta.url), bytes);
  console.log(`${createHash("sha256").update(bytes).digest("hex")}  ${name}`);
}
