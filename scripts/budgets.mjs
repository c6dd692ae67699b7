// What a page may pay for bloomline: minified, gzipped, kernels included.
import { gzipSync } from "node:zlib";
import esbuild from "esbuild";

export const budgets = [
  { name: "BloomFilter", code: 'export { BloomFilter } from "bloomline";', kB: 16 },
  { name: "All of safe browsing", code: 'export * from "bloomline/safe-browsing";', kB: 22 },
];

/** The code as a page gets it. */
export async function bundle(code) {
  const { outputFiles } = await esbuild.build({
    stdin: { contents: code, resolveDir: import.meta.dirname ?? "." },
    bundle: true,
    minify: true,
    format: "esm",
    write: false,
  });
  return outputFiles[0].text;
}

export const gzipped = (text) => gzipSync(text, { level: 9 }).length;
