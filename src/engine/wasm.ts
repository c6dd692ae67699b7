import { Arena } from "./arena.js";
import type { Backend } from "./backend.js";
import type { Family } from "./family.js";
import { Instance } from "./instance.js";
import { isKernel, kernelOver } from "./kernel-over.js";
import { attachShared, createShared } from "./shared.js";

const backends = new Map<Family, Backend>();

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
    return new Instance("wasm", memory.buffer as ArrayBuffer, () => kernelOver(local, memory));
  };
  /** Where this thread stages keys for its shared filters. */
  const threadStage = () => (stage ??= instantiate(2));
  return {
    arena: new Arena(instantiate),
    instantiate,
    createShared: (head, bytes) => createShared(head, bytes, (shared ??= compileShared!()), local, threadStage()),
    attachShared: (handle, readonly) => attachShared(handle, readonly, threadStage()),
  };
}
