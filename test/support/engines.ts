import type { EngineOptions } from "bloomline";

/** Every way the kernel can run. Bytes and answers are the same on all of them. */
export const engines: readonly { name: string; options: Required<EngineOptions> }[] = [
  { name: "wasm", options: { engine: "wasm", shared: false } },
  { name: "wasm, shared", options: { engine: "wasm", shared: true } },
  { name: "js", options: { engine: "js", shared: false } },
];
