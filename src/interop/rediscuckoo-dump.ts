import { HAS } from "../engine/kernel.js";
import { BloomlineError } from "../errors.js";
import { ANEW } from "../format/header.js";
import { type Chunk, ChunkReader, readChunkStream, readChunks, splitDump } from "./chunks.js";
import { HASHINGS, hashItem, type Item } from "./items.js";
import { FOREIGN_KINDS } from "./kinds.js";
import { Layer, type LayerOptions } from "./layer.js";
import { LayeredDump } from "./layered-dump.js";
import { viewOf, whole } from "./redisbloom-header.js";

/** The first chunk of CF.SCANDUMP, little-endian and packed. */
interface RedisCuckooHeader {
  readonly bytes: Uint8Array;
  readonly items: number;
  readonly deletes: number;
  readonly bucketSize: number;
  readonly expansion: number;
  readonly layers: readonly { readonly bytes: number; readonly buckets: number }[];
}

const HEADER = 38;
const MAX_LAYERS = 65535;

function readHeader(bytes: Uint8Array): RedisCuckooHeader {
  const view = viewOf(bytes);
  if (bytes.length !== HEADER) {
    throw new BloomlineError(
      bytes.length < HEADER ? "ERR_TRUNCATED" : "ERR_CORRUPT",
      `The header has ${bytes.length} bytes; it should have ${HEADER}. ${ANEW}`,
    );
  }
  const items = whole(view, 0);
  const buckets = whole(view, 8);
  const deletes = whole(view, 16);
  const count = whole(view, 24);
  const bucketSize = view.getUint16(32, true);
  const expansion = view.getUint16(36, true);
  const layers = Array.from({ length: Math.min(count, MAX_LAYERS) }, (_, i) => {
    const there = buckets * expansion ** i;
    return { buckets: there, bytes: there * bucketSize };
  });
  const places = layers.reduce((sum, layer) => sum + layer.bytes, 0);
  const sound =
    count >= 1 &&
    count <= MAX_LAYERS &&
    bucketSize >= 1 &&
    bucketSize <= 255 &&
    layers.every(({ buckets }) => buckets >= 1 && buckets < 2 ** 32) &&
    items <= places;
  if (!sound) {
    throw new BloomlineError(
      "ERR_CORRUPT",
      `No RedisBloom writes such a header: ${items} items, ${count} layers from ${buckets} buckets of ${bucketSize}, expansion ${expansion}. ${ANEW}`,
    );
  }
  return { bytes: bytes.slice(), items, deletes, bucketSize, expansion, layers };
}

function readerFor({ engine }: LayerOptions): ChunkReader<RedisCuckooHeader> {
  return new ChunkReader(readHeader, ({ layers, bucketSize }, i) => {
    const { bytes, buckets } = layers[i] as RedisCuckooHeader["layers"][number];
    return new Layer({ kind: FOREIGN_KINDS.redisCuckoo, bytes, detail: buckets, detail2: bucketSize }, engine);
  });
}

/** A RedisBloom cuckoo filter as CF.SCANDUMP gives it, to be asked and saved again; it takes no new items. */
export class RedisCuckooDump extends LayeredDump {
  readonly #header: RedisCuckooHeader;

  private constructor(header: RedisCuckooHeader, layers: Layer[]) {
    super(HASHINGS.cuckoo, layers);
    this.#header = header;
  }

  /** The filter whose chunks CF.SCANDUMP returned, all of them and in that order. An empty filter has none. */
  static fromChunks(chunks: Iterable<Chunk>, options: LayerOptions = {}): RedisCuckooDump {
    const reader = readerFor(options);
    return new RedisCuckooDump(readChunks(chunks, reader), reader.layers);
  }

  /** The same for chunks that are still to come. */
  static async fromStream(chunks: AsyncIterable<Chunk>, options: LayerOptions = {}): Promise<RedisCuckooDump> {
    const reader = readerFor(options);
    return new RedisCuckooDump(await readChunkStream(chunks, reader), reader.layers);
  }

  /** The filter that `toBytes` wrote. */
  static fromBytes(bytes: Uint8Array, options: LayerOptions = {}): RedisCuckooDump {
    return RedisCuckooDump.fromChunks(splitDump(bytes, HEADER, readHeader), options);
  }

  /** How often an item may have been added, as CF.COUNT answers. */
  countOf(item: Item): number {
    const { stage } = this.newest;
    hashItem(item, this.hashing, stage);
    const [low, high] = stage.hashParts as Int32Array & [number, number];
    return this.parts.reduce((sum, { kernel, at }) => sum + kernel.actHash(at, low, high, 0, 0, HAS), 0);
  }

  protected override header(): Uint8Array {
    return this.#header.bytes;
  }

  /** How many items are in it, as CF.INFO has it. */
  get count(): number {
    return this.#header.items;
  }

  /** How many were deleted. */
  get deleted(): number {
    return this.#header.deletes;
  }

  /** How many layers there are: what CF.INFO calls filters. */
  get layers(): number {
    return this.#header.layers.length;
  }

  get bucketSize(): number {
    return this.#header.bucketSize;
  }

  get expansion(): number {
    return this.#header.expansion;
  }

  /** How many items fit. */
  get capacity(): number {
    return this.byteLength;
  }

  /** Bytes of all layers, one for each place. */
  get byteLength(): number {
    return this.#header.layers.reduce((sum, { bytes }) => sum + bytes, 0);
  }
}
