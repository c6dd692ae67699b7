/**
 * Kernels are texts in this package: nothing is fetched. Their sixteen digits are the characters that minified code has
 * most of, for gzip counts both together: 100 bytes less than hexadecimal ones, and 700 less than base64.
 */
export const DIGITS = "tre),.(nih=sf0oa";

/**
 * Kernels are built for shared memory. The same code runs on private memory once the byte at `flag` says that its import
 * is a memory with a maximum (1) instead of a shared one (3): atomics are valid there, and the kernel does not use them.
 */
export function compile(text: string, flag?: number): WebAssembly.Module {
  const bytes = Uint8Array.from(text.match(/../g)!, ([high, low]) => DIGITS.indexOf(high!) * 16 + DIGITS.indexOf(low!));
  if (flag) bytes[flag] = 1;
  return new WebAssembly.Module(bytes);
}
