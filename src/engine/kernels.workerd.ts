// workerd compiles no WebAssembly at run time; it takes modules that were uploaded as files.
import local from "./local.wasm";
import shared from "./shared.wasm";

export const compileLocal = (): WebAssembly.Module => local;
export const compileShared = (): WebAssembly.Module => shared;
