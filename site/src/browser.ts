import { BloomFilter } from "bloomline";

/** Whether WebAssembly may run here; the filter itself finds out, one whose size needs no working out. */
export const hasWasm = new BloomFilter({ capacity: 1, bitsPerKey: 8, hashes: 1 }).engine === "wasm";
export const isIsolated = globalThis.crossOriginIsolated === true;
export const canShare = hasWasm && isIsolated;
/** More than this many workers would not fit in the picture. */
export const threads = Math.min(navigator.hardwareConcurrency || 1, 8);

interface Ability {
  readonly name: string;
  readonly on: boolean;
  readonly why: string;
}

export const abilities: readonly Ability[] = [
  {
    name: "WebAssembly",
    on: hasWasm,
    why: hasWasm
      ? "The kernel runs as WebAssembly."
      : "It is missing, or a content security policy without 'wasm-unsafe-eval' refuses it. The same kernel runs as JavaScript: same answers, same bytes, slower.",
  },
  {
    name: "Shared memory",
    on: canShare,
    why: canShare
      ? `Workers can share one filter; ${threads} of them fit this machine.`
      : !isIsolated
        ? "The page was served without the headers Cross-Origin-Opener-Policy: same-origin and Cross-Origin-Embedder-Policy: require-corp. Racing several workers on one filter is off; all else works."
        : "Sharing a filter needs WebAssembly. Racing several workers on one filter is off; all else works.",
  },
];
