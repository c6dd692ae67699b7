import { BloomlineError } from "../errors.js";
import { Arena } from "./arena.js";
import type { Backend } from "./backend.js";
import kernelOver from "./generated/fallback.js";
import { Instance } from "./instance.js";
import { PAGE } from "./layout.js";

/** The generated code indexes its heap with signed 32-bit addresses. */
const MAX_PAGES = 32767;

function instantiate(pages: number): Instance {
  if (pages > MAX_PAGES) {
    throw new BloomlineError(
      "ERR_MEMORY",
      `The JS engine holds filters below 2 GiB; this one needs ${(pages / 16384).toFixed(1)}. Use the wasm engine, or several filters.`,
    );
  }
  const memory = { buffer: new ArrayBuffer(pages * PAGE) };
  return new Instance("js", kernelOver({ env: { memory } }), memory.buffer);
}

function refuseSharing(): never {
  throw new BloomlineError(
    "ERR_NO_WASM",
    "A shared filter needs WebAssembly; here is only the JS engine. Leave out { shared: true }.",
  );
}

let backend: Backend | undefined;

/** The kernel as JavaScript, generated from the same source: the same bytes, without WebAssembly. */
export function jsBackend(): Backend {
  return (backend ??= {
    kind: "js",
    arena: new Arena(instantiate),
    instantiate,
    createShared: refuseSharing,
    attachShared: refuseSharing,
  });
}
