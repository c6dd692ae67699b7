// The chunks of BF.SCANDUMP and CF.SCANDUMP: (1, header), then pieces of the layers end to end. A piece's iterator is one
// more than the offset at which it ends; no piece spans two layers.

import { BloomlineError, show } from "../errors.js";
import { ANEW } from "../format/header.js";
import type { Layer } from "./layer.js";

/** What SCANDUMP returned, and LOADCHUNK takes. */
export type Chunk = readonly [iterator: number | bigint, data: Uint8Array];

/** No server sends or takes more at a time. */
const LARGEST = 16 << 20;

/** A header once it is read and checked. */
export interface DumpPlan {
  readonly layers: readonly { readonly bytes: number }[];
}

/** Lays chunks where they stay, as they come: nothing is kept twice. */
export class ChunkReader<P extends DumpPlan> {
  readonly layers: Layer[] = [];
  #plan: P | undefined;
  /** In all layers, and in the current one. */
  #offset = 0;
  #inLayer = 0;
  #ended = false;

  constructor(
    private readonly readHeader: (bytes: Uint8Array) => P,
    private readonly makeLayer: (plan: P, index: number) => Layer,
  ) {}

  /** Makes sure that all announced bytes are there, before any memory is taken. */
  checkAll(chunks: readonly Chunk[]): void {
    let total = 0;
    let wanted = 0;
    chunks.forEach((chunk, i) => {
      const { iterator, data } = checkChunk(chunk);
      if (i === 0) wanted = layerBytes(this.#header(iterator, data));
      else total += data.length;
    });
    if (chunks.length > 0 && total !== wanted) throw wrongTotal(total, wanted);
  }

  take(chunk: Chunk): void {
    const { iterator, data } = checkChunk(chunk);
    if (this.#ended) throw new BloomlineError("ERR_CORRUPT", `A chunk came after the last one. ${ANEW}`);
    if (!this.#plan) this.#plan = this.#header(iterator, data);
    else if (iterator === 0 && data.length === 0) this.#ended = true;
    else this.#lay(iterator, data, this.#plan);
  }

  #header(iterator: number, data: Uint8Array): P {
    if (iterator === 1) return this.readHeader(data);
    throw new BloomlineError(
      "ERR_CORRUPT",
      `The first chunk has iterator ${iterator}, not 1. Give all chunks in the order in which SCANDUMP returned them.`,
    );
  }

  #lay(iterator: number, data: Uint8Array, plan: P): void {
    if (iterator - data.length - 1 !== this.#offset || data.length === 0) {
      throw new BloomlineError(
        "ERR_CORRUPT",
        `A chunk of ${data.length} bytes has iterator ${iterator}; ${this.#offset + data.length + 1} was due. Give all chunks in the order in which SCANDUMP returned them.`,
      );
    }
    const index = this.layers.length - (this.#inLayer === 0 ? 0 : 1);
    const layer = plan.layers[index];
    if (!layer) throw wrongTotal(this.#offset + data.length, this.#offset);
    if (this.#inLayer + data.length > layer.bytes) {
      throw new BloomlineError("ERR_CORRUPT", `A chunk reaches ${iterator - 1}, beyond the end of its layer. ${ANEW}`);
    }
    if (this.#inLayer === 0) this.layers.push(this.makeLayer(plan, index));
    this.layers[index]!.data().set(data, this.#inLayer);
    this.#offset += data.length;
    this.#inLayer = (this.#inLayer + data.length) % layer.bytes;
  }

  /** After the last chunk. */
  finish(): P {
    if (!this.#plan) {
      throw new BloomlineError("ERR_TRUNCATED", "There are no chunks; the first should hold the header. Dump it anew.");
    }
    const wanted = layerBytes(this.#plan);
    if (this.#offset !== wanted) throw wrongTotal(this.#offset, wanted);
    return this.#plan;
  }

  dispose(): void {
    for (const layer of this.layers) layer.dispose();
  }
}

function layerBytes({ layers }: DumpPlan): number {
  return layers.reduce((sum, { bytes }) => sum + bytes, 0);
}

function wrongTotal(got: number, wanted: number): BloomlineError {
  return new BloomlineError(
    got < wanted ? "ERR_TRUNCATED" : "ERR_CORRUPT",
    `The chunks hold ${got} bytes of layers; the header announces ${wanted}. ${ANEW}`,
  );
}

function checkChunk(chunk: unknown): { iterator: number; data: Uint8Array } {
  if (!Array.isArray(chunk) || chunk.length !== 2) {
    throw new TypeError(`A chunk is ${show(chunk)}; it must be [iterator, data].`);
  }
  const [iterator, data] = chunk;
  if ((typeof iterator !== "number" && typeof iterator !== "bigint") || !Number.isSafeInteger(Number(iterator))) {
    throw new TypeError(`A chunk's iterator is ${show(iterator)}; it must be a whole number.`);
  }
  if (!(data instanceof Uint8Array)) {
    throw new TypeError(
      `A chunk's data is ${show(data)}; it must be a Uint8Array. Have the client return buffers: text is not what was stored.`,
    );
  }
  return { iterator: Number(iterator), data };
}

/** Reads all chunks; those in an array are checked as a whole before any memory is taken. */
export function readChunks<P extends DumpPlan>(chunks: Iterable<Chunk>, reader: ChunkReader<P>): P {
  try {
    if (Array.isArray(chunks)) reader.checkAll(chunks);
    for (const chunk of chunks) reader.take(chunk);
    return reader.finish();
  } catch (error) {
    reader.dispose();
    throw error;
  }
}

/** The same for chunks that are still to come. A layer's memory is taken when its first chunk is there. */
export async function readChunkStream<P extends DumpPlan>(
  chunks: AsyncIterable<Chunk>,
  reader: ChunkReader<P>,
): Promise<P> {
  try {
    for await (const chunk of chunks) reader.take(chunk);
    return reader.finish();
  } catch (error) {
    reader.dispose();
    throw error;
  }
}

/** The chunks that a server would send; each is a copy, made when it is asked for. */
export function* writeChunks(header: Uint8Array, layers: readonly Layer[]): Generator<[number, Uint8Array]> {
  yield [1, header];
  let offset = 0;
  for (const layer of layers) {
    const data = layer.data();
    for (let at = 0; at < data.length; at += LARGEST) {
      const piece = data.slice(at, at + LARGEST);
      offset += piece.length;
      yield [offset + 1, piece];
    }
  }
}

/** A dump in one piece: the header, which tells its own length, then the layers. */
export function joinDump(header: Uint8Array, layers: readonly Layer[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(layers.reduce((sum, layer) => sum + layer.data().length, header.length));
  bytes.set(header);
  let at = header.length;
  for (const layer of layers) {
    bytes.set(layer.data(), at);
    at += layer.data().length;
  }
  return bytes;
}

/** The chunks of a dump in one piece whose header has so many bytes. */
export function splitDump<P extends DumpPlan>(
  bytes: Uint8Array,
  headerLength: number,
  readHeader: (bytes: Uint8Array) => P,
): Chunk[] {
  const header = bytes.subarray(0, headerLength);
  const { layers } = readHeader(header);
  const data = bytes.subarray(header.length);
  if (data.length !== layerBytes({ layers })) throw wrongTotal(data.length, layerBytes({ layers }));
  const chunks: Chunk[] = [[1, header]];
  let at = 0;
  for (const layer of layers) {
    chunks.push([at + layer.bytes + 1, data.subarray(at, at + layer.bytes)]);
    at += layer.bytes;
  }
  return chunks;
}
