import { instantiateSync } from "@assemblyscript/loader";
import { compileLocal, compileShared } from "#kernels";
import { Arena } from "./arena.js";
import type { Backend } from "./backend.js";
import { Instance } from "./instance.js";
import type { LocalKernel } from "./kernel.js";
import { attachShared, createShared } from "./shared.js";

let local: WebAssembly.Module | undefined;
let shared: WebAssembly.Module | undefined;
let stage: Instance | undefined;
let backend: Backend | undefined;

function kernelOver<K>(module: WebAssembly.Module, memory: WebAssembly.Memory): K {
  return instantiateSync(module, { env: { memory } }).exports as unknown as K;
}

function instantiate(pages: number): Instance {
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages });
  return new Instance(
    "wasm",
    kernelOver<LocalKernel>((local ??= compileLocal()), memory),
    memory.buffer as ArrayBuffer,
  );
}

/** Where this thread stages keys for its shared filters. */
function threadStage(): Instance {
  return (stage ??= instantiate(2));
}

/** WebAssembly, or undefined where it is missing or refused (a strict CSP, a hardened browser, no SIMD). */
export function wasmBackend(): Backend | undefined {
  try {
    local ??= compileLocal();
  } catch {
    return undefined;
  }
  return (backend ??= {
    kind: "wasm",
    arena: new Arena(instantiate),
    instantiate,
    createShared: (head, bytes) => createShared(head, bytes, (shared ??= compileShared()), kernelOver, threadStage()),
    attachShared: (handle, readonly) => attachShared(handle, readonly, kernelOver, threadStage()),
  });
}
