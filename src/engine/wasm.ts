import { instantiateSync } from "@assemblyscript/loader";
import { Arena } from "./arena.js";
import type { Backend } from "./backend.js";
import type { Family } from "./family.js";
import { Instance } from "./instance.js";
import type { Kernel } from "./kernel.js";
import { attachShared, createShared } from "./shared.js";

function kernelOver(module: WebAssembly.Module, memory: WebAssembly.Memory): Kernel {
  return instantiateSync(module, { env: { memory } }).instance.exports as unknown as Kernel;
}

const backends = new Map<Family, Backend>();

/** Whether another thread has really sent the kernel for private memory. */
function isKernel(module: unknown): module is WebAssembly.Module {
  return module instanceof WebAssembly.Module && WebAssembly.Module.exports(module).some(({ name }) => name === "act");
}

/**
 * WebAssembly, or undefined where it is missing or refused (a strict CSP, a hardened browser, no SIMD). `compiled` is the
 * kernel for private memory if another thread has sent it.
 */
export function wasmBackend(family: Family, compiled?: WebAssembly.Module): Backend | undefined {
  let backend = backends.get(family);
  if (!backend) {
    try {
      backend = backendOf(isKernel(compiled) ? compiled : family.compileLocal!(), family);
    } catch {
      return undefined;
    }
    backends.set(family, backend);
  }
  return backend;
}

function backendOf(local: WebAssembly.Module, { compileShared }: Family): Backend {
  let shared: WebAssembly.Module | undefined;
  let stage: Instance | undefined;
  const instantiate = (pages: number) => {
    const memory = new WebAssembly.Memory({ initial: pages, maximum: pages });
    return new Instance("wasm", kernelOver(local, memory), memory.buffer as ArrayBuffer);
  };
  /** Where this thread stages keys for its shared filters. */
  const threadStage = () => (stage ??= instantiate(2));
  return {
    arena: new Arena(instantiate),
    instantiate,
    createShared: (head, bytes) =>
      createShared(head, bytes, { module: (shared ??= compileShared!()), staging: local }, kernelOver, threadStage()),
    attachShared: (handle, readonly) => attachShared(handle, readonly, kernelOver, threadStage()),
  };
}
