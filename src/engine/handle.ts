/**
 * A shared filter on its way to another thread. It can be posted, or given as workerData; what arrives is the same bits,
 * not a copy. The compiled kernels travel with them, so that nothing is compiled again.
 */
export interface FilterHandle {
  /** The version of the handle. */
  readonly bloomline: 1;
  readonly memory: WebAssembly.Memory;
  /** The kernel for that memory, and the one for the memory in which each thread stages its keys. */
  readonly module: WebAssembly.Module;
  readonly staging: WebAssembly.Module;
}
