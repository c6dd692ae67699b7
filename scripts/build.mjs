// assembly/ -> wasm and JavaScript -> src/engine/generated/ -> dist/
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import esbuild from "esbuild";
import { alphabetOf, textOf } from "./kernel-text.mjs";

const families = ["core", "classic", "deleting", "frozen", "foreign"];

const root = fileURLToPath(new URL("..", import.meta.url));
const at = (...parts) => join(root, ...parts);
const generated = (name) => at("src/engine/generated", name);
const require = createRequire(import.meta.url);

/** Runs a package's own command with this Node. */
function run(packageName, bin, ...args) {
  const file = join(dirname(require.resolve(`${packageName}/package.json`)), bin);
  execFileSync(process.execPath, [file, ...args], { cwd: root, stdio: ["ignore", "inherit", "inherit"] });
}

function compileKernel(family, target) {
  const out = (ending) => `build/${family}.${target}.${ending}`;
  run("assemblyscript", "bin/asc.js", `assembly/${family}.ts`, "--target", target, "-o", out("wasm"), "-t", out("wat"));
}

/** The fallback as a function of its memory; wasm2js leaves in what nobody needs. */
function fallbackOf(name) {
  run("binaryen", "bin/wasm2js", "-O3", "--emscripten", `build/${name}.wasm`, "-o", `build/${name}.js`);
  let code = readFileSync(at("build", `${name}.js`), "utf8")
    // The function within does without the one around it.
    .replace("(info) {\nfunction asmFunc", "")
    .replace("\n\n  return asmFunc(info);\n}", "")
    // No memory here ever grows.
    .replace("memory.grow = __wasm_memory_grow;", "")
    // A byte is stored alike through either view.
    .replace(/HEAP8\[([^\]]+)\] = /g, "HEAPU8[$1] = ")
    // Arguments are 32-bit numbers already, or halves of seeds, which are only mixed.
    .replace(/^( function .*\n)(?: {2}(\S+) = \2 \| 0;\n)+/gm, "$1")
    .replace(/ function __wasm_memory_size[\s\S]*(?=\n return \{)/, "");
  for (const [declaration, variable] of code.matchAll(/^ var (\w+) = .*;\n/gm)) {
    if (code.split(variable).length === 2) code = code.replace(declaration, "");
  }
  const options = { minifySyntax: true, minifyWhitespace: true };
  return esbuild.transformSync(`${code}\nexport default instantiate;`, options).code;
}

const made = ["dist", "build", "src/engine/generated", "src/redis/generated"];
for (const folder of made) rmSync(at(folder), { recursive: true, force: true });
for (const folder of [...made, "dist/engine/generated"]) mkdirSync(at(folder), { recursive: true });

let alphabet;
for (const family of families) {
  compileKernel(family, "wasm");
  compileKernel(family, "fallback");
  const bytes = readFileSync(at("build", `${family}.wasm.wasm`));
  // That of the first family, which everybody loads, is good enough for all.
  alphabet ??= alphabetOf(bytes);
  const flag = bytes.indexOf("memory\x02\x03") + "memory\x02".length;
  writeFileSync(
    generated(`${family}.wasm.ts`),
    `import { compile } from "../compile.js";
const text = "${textOf(bytes, alphabet)}";
export const compileLocal = () => compile(text, ${flag});
export const compileShared = () => compile(text);
`,
  );
  // workerd compiles no WebAssembly at run time; it takes modules that were uploaded as files.
  writeFileSync(
    generated(`${family}.workerd.ts`),
    `import local from "./${family}.local.wasm";
import shared from "./${family}.shared.wasm";
export const compileLocal = () => local;
export const compileShared = () => shared;
`,
  );
  writeFileSync(at("dist/engine/generated", `${family}.shared.wasm`), bytes);
  bytes[flag] = 1;
  writeFileSync(at("dist/engine/generated", `${family}.local.wasm`), bytes);
  writeFileSync(generated(`${family}.fallback.js`), fallbackOf(`${family}.fallback`));
  writeFileSync(
    generated(`${family}.fallback.d.ts`),
    'import type { Family } from "../family.js";\ndeclare const fallback: Family["fallback"];\nexport default fallback;\n',
  );
}

writeFileSync(generated("alphabet.ts"), `export const alphabet = "${alphabet}";\n`);

// Redis knows a script by its SHA-1. A line "--include file" stands for that file; comments stay behind.
const lua = (file) =>
  readFileSync(at("src/redis/lua", file), "utf8").replace(/^--include (.*)\n/m, (_, name) => lua(name));
const luaFiles = readdirSync(at("src/redis/lua")).filter((file) => file.endsWith(".lua"));
const scripts = luaFiles.map((file) => {
  const text = lua(file).replace(/^ *--.*\n/gm, "");
  const name = file.replace(".lua", "").replace(/-(.)/g, (_, letter) => letter.toUpperCase());
  const sha1 = createHash("sha1").update(text).digest("hex");
  return `export const ${name} = ${JSON.stringify({ sha1, text })};\n`;
});
writeFileSync(at("src/redis/generated/scripts.ts"), scripts.join(""));

run("typescript", "bin/tsc", "-p", "tsconfig.json");
for (const file of readdirSync(generated("."))) {
  if (/\.fallback\./.test(file)) cpSync(generated(file), at("dist/engine/generated", file));
}

// bloomline/js is the same source with the other set of backends: nothing in it so much as names WebAssembly.
await esbuild.build({
  entryPoints: [at("src/index.ts")],
  outfile: at("dist/js.js"),
  bundle: true,
  format: "esm",
  target: "es2022",
  plugins: [
    {
      name: "without-webassembly",
      setup(build) {
        build.onResolve({ filter: /^#backends$/ }, () => ({ path: at("src/engine/backends.js-only.ts") }));
        build.onResolve({ filter: /^#kernels\// }, ({ path }) => ({ path, namespace: "no-kernels" }));
        build.onLoad({ filter: /.*/, namespace: "no-kernels" }, () => ({
          contents: "export const compileLocal = undefined, compileShared = undefined;",
        }));
      },
    },
  ],
});
writeFileSync(at("dist/js.d.ts"), 'export * from "./index.js";\n');
