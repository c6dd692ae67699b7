import type { Kernel } from "./kernel.js";

/** A set of kernels that are built, and downloaded, together. */
export interface Family {
  /** The kernel for private memory and the one for shared memory; undefined in bloomline/js. */
  readonly compileLocal: (() => WebAssembly.Module) | undefined;
  readonly compileShared: (() => WebAssembly.Module) | undefined;
  /** The kernel for private memory as JavaScript, generated from the same source. */
  readonly fallback: (imports: { env: { memory: { buffer: ArrayBuffer } } }) => Kernel;
}
