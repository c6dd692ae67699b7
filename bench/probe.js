import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL(".", import.meta.url));
export const PROBE_FILE = join(folder, "results", "probe.wasm");

/** Compiles the probe with the compiler and the options of the kernels. */
export function buildProbe() {
  const compiler = dirname(createRequire(import.meta.url).resolve("assemblyscript/package.json"));
  const options = ["--runtime", "stub", "--noAssert", "-O3", "--importMemory", "--noExportMemory"];
  execFileSync(process.execPath, [join(compiler, "bin/asc.js"), "assembly/probe.ts", "-o", PROBE_FILE, ...options], {
    cwd: folder,
    stdio: ["ignore", "inherit", "inherit"],
  });
}
