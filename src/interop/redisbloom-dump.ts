import { ADD } from "../engine/kernel.js";
import { LINE } from "../engine/layout.js";
import { BloomlineError, mustBe, show } from "../errors.js";
import { hashParts, type KeyHash } from "../filters/key-hash.js";
import { FORCE64, NO_SCALING, NOROUND, type RedisBloomLayer, sizeOfLayer } from "../sizing/redisbloom.js";
import { type Chunk, ChunkReader, readChunkStream, readChunks, splitDump } from "./chunks.js";
import { checkedItems, eachHashedItems, HASHINGS, hashItem, type Item, type Items } from "./items.js";
import { FOREIGN_KINDS } from "./kinds.js";
import { Layer, type LayerOptions } from "./layer.js";
import { LayeredDump } from "./layered-dump.js";
import {
  type RedisBloomHeader,
  readRedisBloomHeader,
  redisBloomHeaderLength,
  writeRedisBloomHeader,
} from "./redisbloom-header.js";

export interface RedisBloomOptions extends LayerOptions {
  /** How many items the first layer is for. */
  readonly capacity: number;
  /** 0.01 unless given, as in Redis. */
  readonly errorRate?: number;
  /** How many times larger the next layer is; 2 unless given. */
  readonly expansion?: number;
  /** Rather be full than grow. */
  readonly nonScaling?: boolean;
}

/** Each layer has half the error rate of the one before. */
const TIGHTENING = 0.5;
/** Below, a number has fewer digits, and RedisBloom would not find a sensible size. */
const SMALLEST_ERROR = 1e-300;

const SEED64 = 0xc6a4a7935bd1e995n;
const SEED32 = 0x9747b28cn;

/** A RedisBloom filter as BF.SCANDUMP gives it: answers as BF.EXISTS, adds as BF.ADD, layer growth included. */
export class RedisBloomDump extends LayeredDump {
  readonly #header: RedisBloomHeader;
  readonly #engine: LayerOptions;

  private constructor(header: RedisBloomHeader, layers: Layer[], options: LayerOptions) {
    super(header.options & FORCE64 ? HASHINGS.bloom64 : HASHINGS.bloom32, layers);
    this.#header = header;
    this.#engine = options;
  }

  /** An empty filter, as BF.RESERVE makes it. */
  static create(options: RedisBloomOptions): RedisBloomDump {
    if (typeof options !== "object" || options === null) {
      throw new TypeError(`options is ${show(options)}; it must be an object such as { capacity: 1000 }.`);
    }
    const { capacity, errorRate = 0.01, expansion = 2, nonScaling = false, ...engine } = options;
    if (!Number.isSafeInteger(capacity) || capacity < 1) throw mustBe("capacity", capacity, "a whole number from 1 up");
    if (typeof errorRate !== "number" || !(errorRate >= SMALLEST_ERROR && errorRate < 1)) {
      throw mustBe("errorRate", errorRate, `a number from ${SMALLEST_ERROR} up and below 1`);
    }
    if (!Number.isInteger(expansion) || expansion < 1 || expansion > 32768) {
      throw mustBe("expansion", expansion, "a whole number from 1 to 32768");
    }
    const flags = NOROUND | FORCE64 | (nonScaling ? NO_SCALING : 0);
    const first = sizeOfLayer(capacity, nonScaling ? errorRate : errorRate * TIGHTENING, flags);
    const header = { options: flags, growth: expansion, layers: [first] };
    return new RedisBloomDump(header, [layerOf(first, engine)], engine);
  }

  /** The filter whose chunks BF.SCANDUMP returned, all of them and in that order. */
  static fromChunks(chunks: Iterable<Chunk>, options: LayerOptions = {}): RedisBloomDump {
    const reader = readerFor(options);
    return new RedisBloomDump(readChunks(chunks, reader), reader.layers, options);
  }

  /** The same for chunks that are still to come: each goes straight to where it stays. */
  static async fromStream(chunks: AsyncIterable<Chunk>, options: LayerOptions = {}): Promise<RedisBloomDump> {
    const reader = readerFor(options);
    return new RedisBloomDump(await readChunkStream(chunks, reader), reader.layers, options);
  }

  /** The filter that `toBytes` wrote. */
  static fromBytes(bytes: Uint8Array, options: LayerOptions = {}): RedisBloomDump {
    return RedisBloomDump.fromChunks(splitDump(bytes, redisBloomHeaderLength(bytes), readRedisBloomHeader), options);
  }

  /** As BF.ADD answers: true if it was not there. A full filter that does not scale throws. */
  add(item: Item): boolean {
    const { stage } = this.newest;
    hashItem(item, this.hashing, stage);
    return this.#addParts(stage.hashParts);
  }

  /** As BF.MADD does: how many were not there. */
  addMany(items: Items): number {
    const { stage } = this.newest;
    let added = 0;
    eachHashedItems(checkedItems(items), this.hashing, stage, (n) => {
      const hashes = stage.hashes.slice(0, n * 4);
      for (let i = 0; i < hashes.length; i += 4) if (this.#addParts(hashes.subarray(i, i + 4))) added++;
    });
    return added;
  }

  /** Hashes an item once, for `hasHash` and `addHash` of other RedisBloom filters. */
  hash(item: Item): KeyHash {
    const { stage } = this.newest;
    hashItem(item, this.hashing, stage);
    return { seed: this.seed, h1: stage.hash[0]!, h2: stage.hash[1]! };
  }

  hasHash(hash: KeyHash): boolean {
    return this.hasParts(hashParts(hash, this.seed));
  }

  addHash(hash: KeyHash): boolean {
    return this.#addParts(hashParts(hash, this.seed));
  }

  #addParts(hash: Int32Array): boolean {
    if (this.hasParts(hash)) return false;
    const newest = this.#header.layers.at(-1) as RedisBloomLayer;
    if (newest.size >= newest.entries) this.#grow(newest);
    const { kernel, at } = this.newest;
    kernel.actHash(at, hash[0]!, hash[1]!, hash[2]!, hash[3]!, ADD);
    this.#header.layers.at(-1)!.size++;
    return true;
  }

  #grow({ entries, error }: RedisBloomLayer): void {
    const { options, growth, layers } = this.#header;
    if (options & NO_SCALING) {
      throw new BloomlineError(
        "ERR_FULL",
        `The filter is full: it holds ${this.count} items and was made not to scale. Make a larger one.`,
      );
    }
    // An option by which servers take entries for bits exists, but no command sets it.
    if (
      growth < 1 ||
      options & 2 ||
      error * TIGHTENING < SMALLEST_ERROR ||
      entries * growth > Number.MAX_SAFE_INTEGER
    ) {
      throw new BloomlineError(
        "ERR_FULL",
        `The filter is full and cannot grow: growth ${growth}, options ${options}, entries ${entries}, error ${error}.`,
      );
    }
    const next = sizeOfLayer(entries * growth, error * TIGHTENING, options);
    this.parts.push(layerOf(next, this.#engine));
    layers.push(next);
  }

  /** Whether the two can be merged: the same layers, hashed alike. */
  isCompatible(other: RedisBloomDump): boolean {
    if (!(other instanceof RedisBloomDump)) return false;
    const mine = this.#header;
    const theirs = other.#header;
    return (
      this.hashing === other.hashing &&
      mine.layers.length === theirs.layers.length &&
      mine.layers.every((a, i) => {
        const b = theirs.layers[i] as RedisBloomLayer;
        return a.bytes === b.bytes && a.bits === b.bits && a.hashes === b.hashes && a.n2 === b.n2;
      })
    );
  }

  /** Adds all that the other filter holds. Items in both count twice, so the filter may grow a little early. */
  merge(other: RedisBloomDump): this {
    if (!this.isCompatible(other)) {
      throw new BloomlineError(
        "ERR_INCOMPATIBLE",
        `Cannot merge: this is ${describe(this)}, the other is ${describe(other)}. Layers must be alike one by one.`,
      );
    }
    this.parts.forEach((layer, i) => {
      const mine = layer.data();
      const theirs = (other.parts[i] as Layer).data();
      if (mine.buffer === theirs.buffer && mine.byteOffset === theirs.byteOffset) return;
      for (let at = 0; at < mine.length; at++) mine[at]! |= theirs[at]!;
      this.#header.layers[i]!.size += other.#header.layers[i]!.size;
    });
    return this;
  }

  protected override header(): Uint8Array {
    return writeRedisBloomHeader(this.#header);
  }

  clone(): RedisBloomDump {
    const { options, growth, layers } = this.#header;
    const header = { options, growth, layers: layers.map((layer) => ({ ...layer })) };
    return new RedisBloomDump(
      header,
      this.parts.map((layer) => layer.clone()),
      this.#engine,
    );
  }

  /** The same layers and the same bits. */
  equals(other: RedisBloomDump): boolean {
    if (!this.isCompatible(other)) return false;
    return this.parts.every((layer, i) => {
      const mine = layer.data();
      const theirs = (other.parts[i] as Layer).data();
      for (let at = 0; at < mine.length; at++) if (mine[at] !== theirs[at]) return false;
      return true;
    });
  }

  /** Forgets every item, and all layers but the first. */
  clear(): void {
    for (const layer of this.parts.splice(1)) layer.dispose();
    this.#header.layers.splice(1);
    this.newest.data().fill(0);
    this.#header.layers[0]!.size = 0;
  }

  /** How many items all layers are for, as BF.INFO has it. */
  get capacity(): number {
    return this.#header.layers.reduce((sum, { entries }) => sum + entries, 0);
  }

  /** How many items were added, as BF.INFO has it. */
  get count(): number {
    return this.#header.layers.reduce((sum, { size }) => sum + size, 0);
  }

  /** How many layers there are: what BF.INFO calls filters. */
  get layers(): number {
    return this.#header.layers.length;
  }

  get expansion(): number {
    return this.#header.growth;
  }

  get nonScaling(): boolean {
    return (this.#header.options & NO_SCALING) !== 0;
  }

  /** What was asked for. */
  get errorRate(): number {
    const { error } = this.#header.layers[0] as RedisBloomLayer;
    return this.nonScaling ? error : error / TIGHTENING;
  }

  /** Of the newest layer: positions per item. */
  get hashes(): number {
    return this.#header.layers.at(-1)!.hashes;
  }

  /** Of the first hash; the second is seeded with the first. */
  get seed(): bigint {
    return this.hashing === HASHINGS.bloom64 ? SEED64 : SEED32;
  }

  /** Bytes of all layers. */
  get byteLength(): number {
    return this.#header.layers.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  get bitsPerKey(): number {
    return (this.byteLength * 8) / this.capacity;
  }

  get fillRatio(): number {
    return this.parts.reduce((sum, layer) => sum + onesIn(layer), 0) / (this.byteLength * 8);
  }

  /** The chance that a stranger is taken for a member now, from the bits that are set in each layer. */
  get currentErrorRate(): number {
    const misses = this.parts.map((layer, i) => {
      const { hashes } = this.#header.layers[i] as RedisBloomLayer;
      return 1 - (onesIn(layer) / modulusOf(this.#header.layers[i] as RedisBloomLayer)) ** hashes;
    });
    return 1 - misses.reduce((product, miss) => product * miss, 1);
  }
}

function modulusOf({ bits, n2 }: RedisBloomLayer): number {
  return n2 > 0 ? 2 ** n2 : bits;
}

function layerOf(layer: RedisBloomLayer, { engine }: LayerOptions): Layer {
  const modulus = modulusOf(layer);
  const detail2 = (layer.hashes << 8) | Math.floor(modulus / 2 ** 32);
  return new Layer(
    { kind: FOREIGN_KINDS.redisBloom, bytes: layer.bytes, detail: modulus % 2 ** 32, detail2: detail2 >>> 0 },
    engine,
  );
}

function readerFor(options: LayerOptions): ChunkReader<RedisBloomHeader> {
  return new ChunkReader(readRedisBloomHeader, ({ layers }, i) => layerOf(layers[i] as RedisBloomLayer, options));
}

/** What one count of ones may cover. */
const COUNTED = 1 << 28;

function onesIn(layer: Layer): number {
  const { byteOffset, length } = layer.data();
  let ones = 0;
  // Whole lines: what is behind the layer in its last line is zero.
  const end = Math.ceil(length / LINE) * LINE;
  for (let at = 0; at < end; at += COUNTED)
    ones += layer.kernel.popcount(byteOffset + at, Math.min(COUNTED, end - at)) >>> 0;
  return ones;
}

function describe(dump: unknown): string {
  if (!(dump instanceof RedisBloomDump)) return show(dump);
  return `${dump.layers} layers of ${dump.byteLength} bytes, capacity ${dump.capacity}, error rate ${dump.errorRate}`;
}
