import { BloomlineError, show } from "../errors.js";
import type { Arena } from "./arena.js";
import type { EngineKind, Instance } from "./instance.js";
import { pagesFor, SCRATCH } from "./layout.js";
import { Region } from "./region.js";

/** One way to run the kernel. */
export interface Backend {
  readonly kind: EngineKind;
  /** Where its small filters live. */
  readonly arena: Arena;
  instantiate(pages: number, shared: boolean): Instance;
}

/** "auto" takes WebAssembly where it may run and JavaScript where it may not. */
export type EngineChoice = "auto" | EngineKind;

export function checkEngine(choice: unknown): asserts choice is EngineChoice {
  if (choice !== "auto" && choice !== "wasm" && choice !== "js") {
    throw new TypeError(`engine is ${show(choice)}; it must be "auto", "wasm" or "js".`);
  }
}

/** A filter this large or larger has a memory of its own: making one costs 35-50 µs, and a process can have about 13,000. */
const OWN_MEMORY = 256 * 1024;

/** Zeroed, 64-byte aligned memory for a filter, given back when `owner` is garbage-collected if not before. */
export function allocate(backend: Backend, bytes: number, shared: boolean, owner: object): Region {
  try {
    if (shared || bytes >= OWN_MEMORY) {
      return new Region(backend.instantiate(pagesFor(SCRATCH + bytes), shared), SCRATCH, bytes);
    }
    return backend.arena.take(bytes, owner);
  } catch (cause) {
    if (cause instanceof BloomlineError) throw cause;
    throw new BloomlineError(
      "ERR_MEMORY",
      `No memory for a filter of ${bytes} bytes. Dispose of filters no longer used, or choose a smaller capacity or a higher errorRate.`,
      { cause },
    );
  }
}
