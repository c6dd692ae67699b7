// assembly/ -> wasm and JavaScript -> src/engine/generated/ -> dist/
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import esbuild from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));
const at = (...parts) => join(root, ...parts);
const require = createRequire(import.meta.url);

/** Runs a package's own command with this Node. */
function run(packageName, bin, ...args) {
  const file = join(dirname(require.resolve(`${packageName}/package.json`)), bin);
  execFileSync(process.execPath, [file, ...args], { cwd: root, stdio: ["ignore", "inherit", "inherit"] });
}

rmSync(at("dist"), { recursive: true, force: true });
mkdirSync(at("build"), { recursive: true });
mkdirSync(at("src/engine/generated"), { recursive: true });

for (const [target, entry] of [
  ["local", "local"],
  ["shared", "shared"],
  ["fallback", "local"],
]) {
  run("assemblyscript", "bin/asc.js", `assembly/${entry}.ts`, "--target", target);
}

// Hex, not base64: bytes stay whole, so gzip finds what the two kernels share (2.8 kB for both against 4.5 kB).
const inlined = ["local", "shared"].map(
  (name) => `export const ${name} = "${readFileSync(at("build", `${name}.wasm`)).toString("hex")}";\n`,
);
writeFileSync(at("src/engine/generated/wasm.ts"), inlined.join(""));

run("binaryen", "bin/wasm2js", "-O3", "--emscripten", "build/fallback.wasm", "-o", "build/fallback.js");
let fallback = readFileSync(at("build/fallback.js"), "utf8")
  // No memory here ever grows.
  .replace("memory.grow = __wasm_memory_grow;", "")
  .replace(/ function __wasm_memory_size[\s\S]*(?=\n return \{)/, "");
for (const [declaration, name] of fallback.matchAll(/^ var (\w+) = .*;\n/gm)) {
  if (fallback.split(name).length === 2) fallback = fallback.replace(declaration, "");
}
writeFileSync(
  at("src/engine/generated/fallback.js"),
  esbuild.transformSync(`${fallback}\nexport default instantiate;`, { minifySyntax: true, minifyWhitespace: true })
    .code,
);
writeFileSync(
  at("src/engine/generated/fallback.d.ts"),
  `import type { LocalKernel } from "../kernel.js";
export default function instantiate(imports: { env: { memory: { buffer: ArrayBuffer } } }): LocalKernel;
`,
);

run("typescript", "bin/tsc", "-p", "tsconfig.json");
cpSync(at("src/engine/generated/fallback.js"), at("dist/engine/generated/fallback.js"));
cpSync(at("src/engine/generated/fallback.d.ts"), at("dist/engine/generated/fallback.d.ts"));
for (const name of ["local", "shared"]) cpSync(at("build", `${name}.wasm`), at("dist/engine", `${name}.wasm`));

// bloomline/js is the same source with the other set of backends: nothing in it so much as names WebAssembly.
await esbuild.build({
  entryPoints: [at("src/index.ts")],
  outfile: at("dist/js.js"),
  bundle: true,
  format: "esm",
  target: "es2022",
  alias: { "#backends": at("src/engine/backends.js-only.ts") },
});
writeFileSync(at("dist/js.d.ts"), 'export * from "./index.js";\n');
