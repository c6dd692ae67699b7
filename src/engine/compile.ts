/** A kernel from the bytes in this package: nothing is fetched. */
export function compile(hex: string): WebAssembly.Module {
  return new WebAssembly.Module(Uint8Array.from(hex.match(/../g)!, (byte) => Number.parseInt(byte, 16)));
}
