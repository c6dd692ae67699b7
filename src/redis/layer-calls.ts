import { BATCH, LINE } from "../engine/layout.js";
import { BloomlineError } from "../errors.js";
import { BloomFilter } from "../filters/bloom-filter.js";
import { type EngineOptions, emptyFrom, regionOf } from "../filters/line-filter.js";
import { PIECE } from "../format/lines.js";
import type { Answer } from "./answer.js";
import type { Connection } from "./connection.js";
import { eachOf } from "./each-of.js";
import type { HashedKeys } from "./hashed-keys.js";
import { type Layer, type Layout, type Shard, shardsOf } from "./layout.js";
import { fetchBytes, fetchLines, type Point, type Refusal, type Written, writeLines } from "./shard-calls.js";
import { Workbench } from "./workbench.js";

/** Bytes fetched in one call: Redis is busy for about a millisecond. */
const CHUNK = 256 * 1024;

/** Calls under way at a time where much is moved. */
const IN_FLIGHT = 4;

/** Up to BATCH keys of one shard. */
interface Part {
  readonly shard: Shard;
  /** Which of all the keys these are. */
  readonly indexes: readonly number[];
  readonly keys: HashedKeys;
  /** Their lines, counted in the shard. */
  readonly numbers: Uint32Array;
}

/** Lines of one shard, on their way to it. */
interface Piece {
  readonly shard: Shard;
  readonly numbers: readonly number[];
  readonly lines: Uint8Array;
}

export interface Progress {
  readonly bytes: number;
  readonly total: number;
}

/** What is asked of and told to the shards of one layer. */
export class LayerCalls {
  readonly shards: readonly Shard[];
  private readonly workbench: Workbench;

  constructor(
    name: string,
    readonly layer: Layer,
    private readonly connection: Connection,
  ) {
    this.shards = shardsOf(name, layer);
    this.workbench = new Workbench(layer.parameters.hashes, layer.parameters.seed);
  }

  /** Keys by shard, a batch at a time: each part is one command. */
  private parts(keys: HashedKeys): Part[] {
    const { shardLines, parameters } = this.layer;
    const groups = this.shards.map(() => ({ indexes: [] as number[], numbers: [] as number[] }));
    for (let i = 0; i < keys.count; i++) {
      const line = keys.lineOf(i, parameters.lines);
      const shard = Math.floor(line / shardLines);
      groups[shard]!.indexes.push(i);
      groups[shard]!.numbers.push(line - shard * shardLines);
    }
    return groups.flatMap(({ indexes, numbers }, i) =>
      Array.from({ length: Math.ceil(indexes.length / BATCH) }, (_, part) => {
        const own = indexes.slice(part * BATCH, (part + 1) * BATCH);
        return {
          shard: this.shards[i]!,
          indexes: own,
          keys: keys.pick(own),
          numbers: Uint32Array.from(numbers.slice(part * BATCH, (part + 1) * BATCH)),
        };
      }),
    );
  }

  /** An answer for each key; `refused` hears why some are unknown. */
  async has(layout: Layout, keys: HashedKeys, refused: (why: Refusal) => void): Promise<Answer[]> {
    const answers = new Array<Answer>(keys.count).fill("unknown");
    const ask = async ({ shard, indexes, keys, numbers }: Part) => {
      const lines = await fetchLines(layout, shard, this.connection, numbers);
      if (typeof lines === "string") return refused(lines);
      if (lines.length !== numbers.length * LINE) return refused("gone");
      const found = this.workbench.probe(keys, lines);
      for (let i = 0; i < indexes.length; i++) answers[indexes[i]!] = found[i] ? "maybe" : "absent";
    };
    // A shard whose server is away leaves its own keys unknown, and no others.
    await Promise.all(this.parts(keys).map((part) => ask(part).catch(() => {})));
    return answers;
  }

  /** Adds keys and marks in `changed` those that changed the layer. A refusal leaves some of them out. */
  async add(
    layout: Layout,
    keys: HashedKeys,
    changed: Uint8Array,
    wrote: (shard: Shard, written: Written) => void,
  ): Promise<Refusal | undefined> {
    let refusal: Refusal | undefined;
    await Promise.all(
      this.parts(keys).map(async ({ shard, indexes, keys, numbers }) => {
        const lines = this.workbench.linesOf(keys);
        const written = await writeLines(layout, shard, this.connection, numbers, lines, keys);
        if (typeof written === "string") {
          refusal = written;
          return;
        }
        wrote(shard, written);
        for (let i = 0; i < indexes.length; i++) changed[indexes[i]!]! |= written.changed[i]!;
      }),
    );
    return refusal;
  }

  /** ORs lines of a local filter into the layer: those of the given numbers, or all that have a bit. */
  async push(
    layout: Layout,
    local: BloomFilter,
    numbers: Iterable<number>,
    wrote: (shard: Shard, written: Written) => void,
  ): Promise<Refusal | undefined> {
    let refusal: Refusal | undefined;
    await eachOf(this.pieces(local, numbers), IN_FLIGHT, async ({ shard, numbers, lines }) => {
      if (refusal) return;
      const written = await writeLines(layout, shard, this.connection, numbers, lines);
      if (typeof written === "string") refusal = written;
      else wrote(shard, written);
    });
    return refusal;
  }

  private *pieces(local: BloomFilter, numbers: Iterable<number>): Generator<Piece> {
    const lines = regionOf(local).lines();
    const waiting = this.shards.map(() => [] as number[]);
    const take = (shard: Shard, own: number[]) => {
      const bytes = new Uint8Array(own.length * LINE);
      own.forEach((number, i) => {
        const at = (shard.from + number) * LINE;
        bytes.set(lines.subarray(at, at + LINE), i * LINE);
      });
      return { shard, numbers: own, lines: bytes };
    };
    for (const line of numbers) {
      const i = Math.floor(line / this.layer.shardLines);
      const own = waiting[i]!;
      if (own.push(line - this.shards[i]!.from) < BATCH) continue;
      yield take(this.shards[i]!, own);
      waiting[i] = [];
    }
    for (const [i, own] of waiting.entries()) if (own.length > 0) yield take(this.shards[i]!, own);
  }

  /** ORs the whole layer into a local filter. */
  async copyTo(layout: Layout, local: BloomFilter, progress: (bytes: number) => void): Promise<void> {
    for (const shard of this.shards) await this.copyShard(layout, shard, local, progress);
  }

  /**
   * ORs a shard into a local filter, chunk by chunk, and returns where in its history it was at the first: what came later
   * is in the log, if the history is still the same. `retry` may repeat a chunk that failed.
   */
  async copyShard(
    layout: Layout,
    shard: Shard,
    local: BloomFilter,
    progress: (bytes: number) => void,
    retry: <T>(work: () => Promise<T>) => Promise<T> = (work) => work(),
  ): Promise<Point> {
    const copy = async (from: number) => {
      const chunk = await retry(() => this.chunk(layout, shard, from));
      mergeBytes(local, shard.from * LINE + from, chunk.bytes);
      progress(chunk.bytes.length);
      return chunk;
    };
    const { version, mark } = await copy(0);
    const others = Array.from({ length: Math.ceil(shard.bytes / CHUNK) - 1 }, (_, i) => (i + 1) * CHUNK);
    await eachOf(others, IN_FLIGHT, async (from) => void (await copy(from)));
    return { version, mark };
  }

  private async chunk(layout: Layout, shard: Shard, from: number) {
    const to = Math.min(from + CHUNK, shard.bytes);
    const chunk = await fetchBytes(layout, shard, this.connection, from, to);
    if (typeof chunk === "string") throw new RefusedError(layout.name, chunk);
    if (chunk.bytes.length !== to - from) throw new RefusedError(layout.name, "gone");
    return chunk;
  }

  /** Version and set bits of each shard. */
  async state(layout: Layout): Promise<{ shard: Shard; version: number; ones: number }[]> {
    return Promise.all(
      this.shards.map(async (shard) => {
        const state = await fetchBytes(layout, shard, this.connection, 0, 0);
        if (typeof state === "string") throw new RefusedError(layout.name, state);
        return { shard, version: state.version, ones: state.ones };
      }),
    );
  }
}

/** A local filter for a layer's lines. */
export function localFor(layer: Layer, options: EngineOptions): BloomFilter {
  return emptyFrom(BloomFilter, layer.parameters, options);
}

/** ORs bytes into a local filter's lines, from byte `at` on. */
export function mergeBytes(local: BloomFilter, at: number, bytes: Uint8Array): void {
  const region = regionOf(local);
  // Replies begin anywhere in a socket's buffer; words want their own boundary.
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : Uint8Array.from(bytes);
  for (let done = 0; done < bytes.length; done += PIECE) {
    region.combine("merge", at + done, aligned.subarray(done, done + PIECE));
  }
}

/** Numbers of the lines that have a bit, among so many from `from` on. */
export function* usedLines(local: BloomFilter, from = 0, count = local.lines): Generator<number> {
  const lines = regionOf(local).lines();
  const words = new BigUint64Array(lines.buffer, lines.byteOffset, lines.length / 8);
  for (let line = from; line < from + count; line++) {
    for (let i = line * 8; i < line * 8 + 8; i++) {
      if (words[i]) {
        yield line;
        break;
      }
    }
  }
}

/** A shard that is needed gave no answer. */
export class RefusedError extends BloomlineError {
  constructor(
    name: string,
    readonly why: Refusal,
  ) {
    super(
      "ERR_GONE",
      why === "gone"
        ? `The filter ${name}, or a part of it, is not in Redis any more: evicted, flushed, dropped or made anew. Rebuild it from its source, or reopen() the new one.`
        : `The layout of ${name} changed again and again while it was read. Try again.`,
    );
  }
}
