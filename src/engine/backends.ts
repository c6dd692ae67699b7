import { BloomlineError } from "../errors.js";
import type { Backend, EngineChoice } from "./backend.js";
import type { Family } from "./family.js";
import { jsBackend } from "./javascript.js";
import { wasmBackend } from "./wasm.js";

/** "auto" takes WebAssembly where it may run and JavaScript where it may not. */
export function backendFor(family: Family, choice: EngineChoice, compiled?: WebAssembly.Module): Backend {
  if (choice === "js") return jsBackend(family);
  const wasm = wasmBackend(family, compiled);
  if (wasm) return wasm;
  if (choice === "auto") return jsBackend(family);
  throw new BloomlineError(
    "ERR_NO_WASM",
    'WebAssembly is missing or refused (a CSP needs \'wasm-unsafe-eval\'). Use engine "auto" or "js".',
  );
}
