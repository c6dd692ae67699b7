import { BloomlineError, mustBe } from "../errors.js";
import type { Arena } from "./arena.js";
import type { FilterHandle } from "./handle.js";
import type { EngineKind, Instance } from "./instance.js";
import { HEAD, LINE, pagesFor, SCRATCH } from "./layout.js";
import { LocalRegion, type Region } from "./region.js";

/** One way to run the kernel. */
export interface Backend {
  /** Where its small filters live. */
  readonly arena: Arena;
  instantiate(pages: number): Instance;
  /** A filter in memory that threads can share; throws where there is none. */
  createShared(head: Uint8Array, bytes: number): Region;
  attachShared(handle: FilterHandle, readonly: boolean): Region;
}

/** "auto" takes WebAssembly where it may run and JavaScript where it may not. */
export type EngineChoice = "auto" | EngineKind;

export function checkEngine(choice: unknown): asserts choice is EngineChoice {
  if (choice !== "auto" && choice !== "wasm" && choice !== "js") {
    throw mustBe("engine", choice, '"auto", "wasm" or "js"', TypeError);
  }
}

/** Memory for an empty filter with that head, given back when `owner` is garbage-collected if not before. */
export function allocate(backend: Backend, head: Uint8Array, lines: number, shared: boolean, owner: object): Region {
  const bytes = HEAD + lines * LINE;
  try {
    if (shared) return backend.createShared(head, bytes);
    const region =
      backend.arena.take(bytes, owner) ??
      new LocalRegion(backend.instantiate(pagesFor(SCRATCH + bytes)), SCRATCH, bytes);
    region.head().set(head);
    return region;
  } catch (cause) {
    if (cause instanceof BloomlineError) throw cause;
    throw new BloomlineError(
      "ERR_MEMORY",
      `No memory for ${bytes} bytes. Dispose of other filters, or lower capacity.`,
      { cause },
    );
  }
}
