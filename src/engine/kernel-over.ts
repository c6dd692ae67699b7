import { instantiateSync } from "@assemblyscript/loader";
import type { Kernel } from "./kernel.js";

/** Whether a module that another thread has sent is a kernel. It costs a tenth of what instantiating it does. */
export function isKernel(module: unknown): module is WebAssembly.Module {
  return module instanceof WebAssembly.Module && WebAssembly.Module.exports(module).some(({ name }) => name === "act");
}

/** The kernel on a memory: a shared one if it is told where to count. */
export function kernelOver(module: WebAssembly.Module, memory: WebAssembly.Memory, counterAt = 0): Kernel {
  const kernel = instantiateSync(module, { env: { memory } }).instance.exports as unknown as Kernel;
  kernel.useCounter(counterAt);
  return kernel;
}
