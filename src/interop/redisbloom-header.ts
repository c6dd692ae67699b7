// The first chunk of BF.SCANDUMP, little-endian and packed: 20 bytes, then 53 for each layer. Fields are taken as they
// are: older servers sized layers in other ways.

import { BloomlineError, show } from "../errors.js";
import { ANEW } from "../format/header.js";
import { FORCE64, LN2, NO_SCALING, NOROUND, type RedisBloomLayer } from "../sizing/redisbloom.js";

export interface RedisBloomHeader {
  readonly options: number;
  /** How many times larger each layer is than the one before. */
  readonly growth: number;
  readonly layers: RedisBloomLayer[];
}

const FRONT = 20;
const LAYER = 53;

/** NOROUND, "entries is bits", FORCE64, NO_SCALING: what servers know. */
const KNOWN_OPTIONS = NOROUND | 2 | FORCE64 | NO_SCALING;

export function viewOf(bytes: unknown): DataView {
  if (!(bytes instanceof Uint8Array)) throw new TypeError(`bytes is ${show(bytes)}; it must be a Uint8Array.`);
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** How long the header is that begins there, as far as can be told. */
export function redisBloomHeaderLength(bytes: Uint8Array): number {
  const view = viewOf(bytes);
  return bytes.length < FRONT ? FRONT : FRONT + LAYER * view.getUint32(8, true);
}

export function readRedisBloomHeader(bytes: Uint8Array): RedisBloomHeader {
  const wanted = redisBloomHeaderLength(bytes);
  if (bytes.length !== wanted) {
    throw new BloomlineError(
      bytes.length < wanted ? "ERR_TRUNCATED" : "ERR_CORRUPT",
      `The header has ${bytes.length} bytes; it should have ${wanted}. ${ANEW}`,
    );
  }
  const view = viewOf(bytes);
  const layers: RedisBloomLayer[] = [];
  for (let at = FRONT; at < wanted; at += LAYER) layers.push(readLayer(view, at));
  const size = whole(view, 0);
  const options = view.getUint32(12, true);
  const sum = layers.reduce((sum, layer) => sum + layer.size, 0);
  if (layers.length === 0 || options & ~KNOWN_OPTIONS || size !== sum) {
    throw unsound(`${layers.length} layers, options ${options}, ${size} items of which the layers have ${sum}`);
  }
  return { options, growth: view.getUint32(16, true), layers };
}

function readLayer(view: DataView, at: number): RedisBloomLayer {
  const layer: RedisBloomLayer = {
    bytes: whole(view, at),
    bits: whole(view, at + 8),
    size: whole(view, at + 16),
    error: view.getFloat64(at + 24, true),
    bpe: view.getFloat64(at + 32, true),
    hashes: view.getUint32(at + 40, true),
    entries: whole(view, at + 44),
    n2: view.getUint8(at + 52),
  };
  const { bytes, bits, error, bpe, hashes, entries, n2 } = layer;
  // What a server checks, but for equations that the first versions do not meet.
  const sound =
    bytes >= 1 &&
    bits >= 1 &&
    bits <= bytes * 8 &&
    2 ** n2 <= bytes * 8 &&
    error > 0 &&
    error < 1 &&
    hashes >= 1 &&
    hashes < 2 ** 24 &&
    Math.abs(hashes - Math.ceil(LN2 * bpe)) <= 1 &&
    entries >= 1;
  if (sound) return layer;
  throw unsound(
    `bytes ${bytes}, bits ${bits}, error ${error}, bits per entry ${bpe}, hashes ${hashes}, entries ${entries}, n2 ${n2}`,
  );
}

/** A u64 that must be a safe integer. */
export function whole(view: DataView, at: number): number {
  const value = Number(view.getBigUint64(at, true));
  if (Number.isSafeInteger(value)) return value;
  throw unsound(`a size of ${value}`);
}

function unsound(what: string): BloomlineError {
  return new BloomlineError("ERR_CORRUPT", `No RedisBloom writes such a header: ${what}. ${ANEW}`);
}

export function writeRedisBloomHeader({ options, growth, layers }: RedisBloomHeader): Uint8Array {
  const bytes = new Uint8Array(FRONT + LAYER * layers.length);
  const view = viewOf(bytes);
  view.setBigUint64(0, BigInt(layers.reduce((sum, layer) => sum + layer.size, 0)), true);
  view.setUint32(8, layers.length, true);
  view.setUint32(12, options, true);
  view.setUint32(16, growth, true);
  layers.forEach((layer, i) => {
    const at = FRONT + LAYER * i;
    view.setBigUint64(at, BigInt(layer.bytes), true);
    view.setBigUint64(at + 8, BigInt(layer.bits), true);
    view.setBigUint64(at + 16, BigInt(layer.size), true);
    view.setFloat64(at + 24, layer.error, true);
    view.setFloat64(at + 32, layer.bpe, true);
    view.setUint32(at + 40, layer.hashes, true);
    view.setBigUint64(at + 44, BigInt(layer.entries), true);
    view.setUint8(at + 52, layer.n2);
  });
  return bytes;
}
