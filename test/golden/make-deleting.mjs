// node test/golden/make-deleting.mjs: writes the golden files of the deleting filters. Format v1 is for ever, so this is
// run for a new kind or a new version, and never to make a failing test pass.
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { filterOf, goldens } from "./deleting.mjs";

for (const golden of goldens) {
  const bytes = filterOf(golden).toBytes();
  writeFileSync(new URL(golden.name, import.meta.url), bytes);
  console.log(`${createHash("sha256").update(bytes).digest("hex")}  ${golden.name}`);
}
