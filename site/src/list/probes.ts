import type { BloomFilter } from "bloomline";

/** Where a key's bits lie, by docs/FORMAT.md. */
export interface Probes {
  readonly line: number;
  readonly positions: readonly number[];
}

const SLICES = 7;

export function probesOf(filter: BloomFilter, key: string): Probes {
  const { h1, h2 } = filter.hash(key);
  let slices = h2;
  const positions = Array.from({ length: filter.hashes }, (_, i) => {
    if (i > 0 && i % SLICES === 0) {
      slices = BigInt.asUintN(64, (slices ^ (slices >> 32n)) * 0x9e3779b97f4a7c15n);
      slices ^= slices >> 29n;
    }
    return Number((slices >> BigInt(9 * (i % SLICES))) & 511n);
  });
  return { line: lineOf(h1, filter.lines), positions };
}

export function lineOf(h1: bigint, lines: number): number {
  return Number(((h1 >> 32n) * BigInt(lines)) >> 32n);
}

/** The 64 bytes of a line in what `toBytes` returned. */
export function lineBytes(bytes: Uint8Array, line: number): Uint8Array {
  return bytes.subarray(64 + 64 * line, 128 + 64 * line);
}

export function isSet(line: Uint8Array, position: number): boolean {
  return ((line[position >> 3]! >> (position & 7)) & 1) === 1;
}
