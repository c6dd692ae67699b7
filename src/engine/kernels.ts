import { local, shared } from "./generated/wasm.js";

function compile(hex: string): WebAssembly.Module {
  return new WebAssembly.Module(Uint8Array.from(hex.match(/../g)!, (byte) => Number.parseInt(byte, 16)));
}

/** The kernel for private and for shared memory, from the bytes in this package: nothing is fetched. */
export const compileLocal = (): WebAssembly.Module => compile(local);
export const compileShared = (): WebAssembly.Module => compile(shared);
