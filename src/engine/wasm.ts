import { instantiateSync } from "@assemblyscript/loader";
import { compileLocal, compileShared } from "#kernels";
import { Arena } from "./arena.js";
import type { Backend } from "./backend.js";
import { Instance } from "./instance.js";
import type { Kernel } from "./kernel.js";

let local: WebAssembly.Module | undefined;
let shared: WebAssembly.Module | undefined;

function instantiate(pages: number, isShared: boolean): Instance {
  const module = isShared ? (shared ??= compileShared()) : (local ??= compileLocal());
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages, shared: isShared });
  const { exports } = instantiateSync(module, { env: { memory } });
  return new Instance("wasm", exports as unknown as Kernel, memory.buffer, isShared);
}

/** WebAssembly, or undefined where it is missing or refused (a strict CSP, a hardened browser, no SIMD). */
export function wasmBackend(): Backend | undefined {
  try {
    local ??= compileLocal();
  } catch {
    return undefined;
  }
  return (backend ??= { kind: "wasm", arena: new Arena((pages) => instantiate(pages, false)), instantiate });
}

let backend: Backend | undefined;
