/**
 * A shared filter on its way to another thread. It can be posted, or given as workerData; what arrives is the same bits,
 * not a copy. The compiled kernel travels with them, so that nothing is compiled again.
 */
export interface FilterHandle {
  /** The version of the handle. */
  readonly bloomline: 1;
  readonly memory: WebAssembly.Memory;
  readonly module: WebAssembly.Module;
}
