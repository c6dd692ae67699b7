// Fails when a budget is exceeded.
import { budgets, bundle, gzipped } from "./budgets.mjs";

let failed = false;
for (const { name, code, kB } of budgets) {
  const size = gzipped(await bundle(code)) / 1000;
  failed ||= size > kB;
  console.log(`${name}: ${size.toFixed(2)} kB gzipped, of ${kB} kB allowed${size > kB ? "  TOO LARGE" : ""}`);
}
if (failed) process.exitCode = 1;
