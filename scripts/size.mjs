// What a page pays for bloomline: minified, gzipped, kernels included. Fails when a budget is exceeded.
import { gzipSync } from "node:zlib";
import esbuild from "esbuild";

const budgets = [
  { name: "BloomFilter", code: 'export { BloomFilter } from "bloomline";', kB: 16 },
  { name: "All of safe browsing", code: 'export * from "bloomline/safe-browsing";', kB: 22 },
];

let failed = false;
for (const { name, code, kB } of budgets) {
  const { outputFiles } = await esbuild.build({
    stdin: { contents: code, resolveDir: import.meta.dirname ?? "." },
    bundle: true,
    minify: true,
    format: "esm",
    write: false,
  });
  const size = gzipSync(outputFiles[0].contents, { level: 9 }).length / 1000;
  failed ||= size > kB;
  console.log(`${name}: ${size.toFixed(2)} kB gzipped, of ${kB} kB allowed${size > kB ? "  TOO LARGE" : ""}`);
}
if (failed) process.exitCode = 1;
