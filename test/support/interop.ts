// What the interop tests share: the vectors as bytes, and models of the foreign filters in plain BigInt arithmetic.

import { readFileSync } from "node:fs";

function vectors(name: string) {
  return JSON.parse(readFileSync(new URL(`../interop/vectors/${name}.json`, import.meta.url), "utf8"));
}

export const guava: {
  murmur3_128_seed0: [string, string][];
  filters: {
    name: string;
    expectedInsertions: number;
    fpp: number;
    approximateElementCount: number;
    expectedFpp: number;
    falsePositives: number[];
    writeTo: string;
  }[];
} = vectors("guava");

export const redisBloom: {
  hashes: [item: string, a: string, b: string][];
  filters: {
    name: string;
    error: number;
    capacity: number;
    expansion?: number;
    items: number;
    alreadyPresentAtAdd: number[];
    info: (string | number)[];
    chunks: [number, string][];
    falsePositives: number[];
  }[];
} = vectors("redisbloom");

export function fromBase64(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, "base64"));
}

/** The chunks of a filter among the vectors. */
export function chunksOf(name: string): [number, Uint8Array][] {
  const { chunks } = redisBloom.filters.find((filter) => filter.name === name)!;
  return chunks.map(([iterator, data]) => [iterator, fromBase64(data)]);
}

/** Item j of the vectors. */
export function item(j: number): string {
  if (j % 3 === 0) return `k:${j}`;
  return j % 3 === 1 ? `ключ-${j}-${"x".repeat(j % 23)}` : String(j * 7919);
}

const wrap = (x: bigint) => BigInt.asUintN(64, x);

function littleEndian(bytes: Uint8Array, at: number, length: number): bigint {
  let value = 0n;
  for (let i = Math.min(at + length, bytes.length); i-- > at; ) value = (value << 8n) + BigInt(bytes[i]!);
  return value;
}

/** MurmurHash64A. */
export function murmur64A(bytes: Uint8Array, seed: bigint): bigint {
  const m = 0xc6a4a7935bd1e995n;
  let h = seed ^ wrap(BigInt(bytes.length) * m);
  let at = 0;
  for (; at + 8 <= bytes.length; at += 8) {
    let k = wrap(littleEndian(bytes, at, 8) * m);
    k = wrap((k ^ (k >> 47n)) * m);
    h = wrap((h ^ k) * m);
  }
  if (at < bytes.length) h = wrap((h ^ littleEndian(bytes, at, 8)) * m);
  h = wrap((h ^ (h >> 47n)) * m);
  return h ^ (h >> 47n);
}

/** MurmurHash2, 32 bits. */
export function murmur32(bytes: Uint8Array, seed: number): number {
  const m = 0x5bd1e995;
  let h = seed ^ bytes.length;
  let at = 0;
  for (; at + 4 <= bytes.length; at += 4) {
    let k = Math.imul(Number(littleEndian(bytes, at, 4)), m);
    k = Math.imul(k ^ (k >>> 24), m);
    h = Math.imul(h, m) ^ k;
  }
  if (at < bytes.length) h = Math.imul(h ^ Number(littleEndian(bytes, at, 4)), m);
  h = Math.imul(h ^ (h >>> 13), m);
  return (h ^ (h >>> 15)) >>> 0;
}

const encoder = new TextEncoder();
export const bytesOfItem = (item: string | Uint8Array) => (typeof item === "string" ? encoder.encode(item) : item);

/** A RedisBloom layer, one bit after another. */
export interface ModelLayer {
  readonly modulus: bigint;
  readonly hashes: number;
  readonly data: Uint8Array;
}

export function redisPositions(item: string | Uint8Array, { modulus, hashes }: ModelLayer, wide = true): number[] {
  const bytes = bytesOfItem(item);
  const a = wide ? murmur64A(bytes, 0xc6a4a7935bd1e995n) : BigInt(murmur32(bytes, 0x9747b28c));
  const b = wide ? murmur64A(bytes, a) : BigInt(murmur32(bytes, Number(a)));
  return Array.from({ length: hashes }, (_, i) => Number(wrap(a + BigInt(i) * b) % modulus));
}

export function isSet(data: Uint8Array, position: number): boolean {
  return ((data[position >> 3]! >> (position & 7)) & 1) === 1;
}

/** The header of BF.SCANDUMP by hand. */
export function redisHeader(
  { options = 5, growth = 2 }: { options?: number; growth?: number },
  layers: readonly {
    bytes: number;
    bits: number;
    size: number;
    error: number;
    bpe: number;
    hashes: number;
    entries: number;
    n2: number;
  }[],
): Uint8Array {
  const bytes = new Uint8Array(20 + 53 * layers.length);
  const view = new DataView(bytes.buffer);
  const long = (at: number, value: number) => view.setBigUint64(at, BigInt(value), true);
  long(
    0,
    layers.reduce((sum, { size }) => sum + size, 0),
  );
  view.setUint32(8, layers.length, true);
  view.setUint32(12, options, true);
  view.setUint32(16, growth, true);
  layers.forEach((layer, i) => {
    const at = 20 + 53 * i;
    long(at, layer.bytes);
    long(at + 8, layer.bits);
    long(at + 16, layer.size);
    view.setFloat64(at + 24, layer.error, true);
    view.setFloat64(at + 32, layer.bpe, true);
    view.setUint32(at + 40, layer.hashes, true);
    long(at + 44, layer.entries);
    view.setUint8(at + 52, layer.n2);
  });
  return bytes;
}
