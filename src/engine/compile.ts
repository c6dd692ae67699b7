import { alphabet } from "./generated/alphabet.js";

/**
 * Kernels are texts in this package: nothing is fetched. A character is the byte that has its place in the alphabet, and
 * "e" stands in front of two hexadecimal digits of a rarer byte. Gzipped in a page, that is 260 bytes less than hexadecimal
 * digits alone, and 960 less than base64.
 *
 * Kernels are built for shared memory. The same code runs on private memory once the byte at `flag` says that its import
 * is a memory with a maximum (1) instead of a shared one (3): atomics are valid there, and the kernel does not use them.
 */
export function compile(text: string, flag?: number): WebAssembly.Module {
  const bytes = Uint8Array.from(text.match(/e..|./g)!, ([first, high, low]) =>
    high ? alphabet.indexOf(high) * 16 + alphabet.indexOf(low!) : alphabet.indexOf(first!),
  );
  if (flag) bytes[flag] = 1;
  return new WebAssembly.Module(bytes);
}
