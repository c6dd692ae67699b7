import { randomUUID } from "node:crypto";
import { LINE } from "../engine/layout.js";
import { BloomlineError, mustBe } from "../errors.js";
import { BloomFilter } from "../filters/bloom-filter.js";
import type { EngineOptions } from "../filters/line-filter.js";
import type { Keys } from "../keys/batch.js";
import type { Key } from "../keys/key.js";
import { keysFromOnes } from "../sizing/blocked.js";
import type { Answer } from "./answer.js";
import { Connection } from "./connection.js";
import { grow, type KeySource, type RebuildOptions, type RotateOptions, rebuild, rotate } from "./growing.js";
import { HashedKeys } from "./hashed-keys.js";
import { LayerCalls, localFor, type Progress, RefusedError, usedLines } from "./layer-calls.js";
import { Layers } from "./layers.js";
import {
  checkName,
  checkParameters,
  differ,
  type Layer,
  type Layout,
  layoutKey,
  newest,
  newLayer,
  type RemoteOptions,
} from "./layout.js";
import { loadLayout, makeShards, settledLayout, storeLayout } from "./layout-store.js";
import type { RedisPort } from "./port.js";
import type { Refusal } from "./shard-calls.js";
import { Workbench } from "./workbench.js";

export interface ConnectOptions {
  /** How long to wait for a reply before the answer is unknown; 1000 unless given. */
  readonly timeoutMs?: number;
}

export interface CreateOptions extends ConnectOptions {
  /** Entries that the log of a shard keeps for those who follow it; 1000 unless given. */
  readonly logEntries?: number;
}

export interface LayerInfo {
  readonly capacity: number;
  readonly errorRate: number;
  readonly seed: bigint;
  readonly hashes: number;
  readonly lines: number;
  readonly byteLength: number;
  readonly shards: number;
  readonly shardBytes: number;
  readonly read: boolean;
  readonly write: boolean;
  /** About how many keys it holds. */
  readonly count: number;
  /** How many changes it has seen. */
  readonly version: number;
}

export interface RedisFilterInfo {
  readonly name: string;
  readonly epoch: string;
  readonly layout: number;
  readonly layers: readonly LayerInfo[];
  readonly capacity: number;
  readonly count: number;
  /** Of the layer that takes new keys: count / capacity. */
  readonly fill: number;
}

export interface SnapshotOptions extends EngineOptions {
  readonly onProgress?: (progress: Progress) => void;
}

const ROLES = { read: true, write: true };

/** Keys under way at a time: what Redis does in some 30 ms, so that the last of many is not too late. */
const UNDER_WAY = 8192;

/** The cache-line filter in Redis strings: the same bytes as a local BloomFilter of the same options. */
export class RedisFilter {
  readonly seed: bigint;
  /** @internal */
  readonly layers: Layers;
  readonly #connection: Connection;
  readonly #workbench: Workbench;

  private constructor(connection: Connection, layout: Layout) {
    this.#connection = connection;
    this.layers = new Layers(connection, layout);
    this.seed = layout.layers[0]!.parameters.seed;
    this.#workbench = new Workbench(1, this.seed);
  }

  /** Makes a filter. Where there is one of the same parameters already, opens it: every instance may call this. */
  static async create(
    port: RedisPort,
    name: string,
    { timeoutMs = 1000, logEntries = 1000, ...options }: RemoteOptions & CreateOptions,
  ): Promise<RedisFilter> {
    checkName(name);
    const connection = new Connection(port, timeoutMs);
    const layer = newLayer("0", options, ROLES);
    if (!Number.isSafeInteger(logEntries) || logEntries < 1) throw mustBe("logEntries", logEntries, "1 or more");
    let found = await settledLayout(connection, name);
    if (!found || found.number === 0) {
      const making: Layout = { name, epoch: randomUUID(), number: 0, layers: [layer], logEntries };
      if (await storeLayout(connection, found, making)) {
        const ready = { ...making, number: 1 };
        await makeShards(connection, ready, layer);
        if (await storeLayout(connection, making, ready)) return new RedisFilter(connection, ready);
      }
      found = await settledLayout(connection, name);
    }
    if (!found || found.number === 0) {
      throw new BloomlineError("ERR_CONFLICT", `Somebody else is making or dropping ${name}. Try again.`);
    }
    checkParameters(found, layer);
    return new RedisFilter(connection, found);
  }

  /** Opens a filter that is there; with options, only if it is the one they describe. */
  static async open(
    port: RedisPort,
    name: string,
    { timeoutMs = 1000, ...expected }: ConnectOptions & Partial<RemoteOptions> = {},
  ): Promise<RedisFilter> {
    checkName(name);
    const connection = new Connection(port, timeoutMs);
    const layout = await settledLayout(connection, name);
    if (!layout || layout.number === 0) {
      throw new BloomlineError("ERR_GONE", `There is no filter ${name} in Redis. Make it with RedisFilter.create.`);
    }
    const { capacity } = expected;
    if (capacity !== undefined) checkParameters(layout, newLayer("0", { ...expected, capacity }, ROLES));
    return new RedisFilter(connection, layout);
  }

  get name(): string {
    return this.layers.name;
  }

  /** Changes when the filter is made anew. */
  get epoch(): string {
    return this.layers.layout.epoch;
  }

  /** How full the layer is that takes new keys, from the replies seen so far: 1 is its capacity. */
  get fill(): number {
    return this.layers.fill;
  }

  /** @internal */
  hash(keys: Keys): HashedKeys {
    return HashedKeys.of(keys, this.seed, this.#workbench.stage);
  }

  /** Adds a key. True: it changed the filter. */
  async add(key: Key): Promise<boolean> {
    return (await this.addMany([key]))[0] === 1;
  }

  async has(key: Key): Promise<Answer> {
    return (await this.hasMany([key]))[0]!;
  }

  /**
   * Adds keys: 1 for each that changed the filter. When it returns, Redis has them all. When it throws, it may have some;
   * adding again does no harm.
   */
  async addMany(keys: Keys): Promise<Uint8Array> {
    const hashed = this.hash(keys);
    const changed = new Uint8Array(hashed.count);
    let at = 0;
    for (const some of hashed.slices(UNDER_WAY)) {
      changed.set(await this.addHashed(some), at);
      at += some.count;
    }
    return changed;
  }

  /** Never throws for want of Redis: what cannot be known is unknown. */
  async hasMany(keys: Keys): Promise<Answer[]> {
    const answers: Answer[][] = [];
    for (const some of this.hash(keys).slices(UNDER_WAY)) answers.push(await this.#hasHashed(some));
    return answers.flat();
  }

  async #hasHashed(keys: HashedKeys): Promise<Answer[]> {
    let answers: Answer[] = [];
    await this.layers.following(async (layout) => {
      let refusal: Refusal | undefined;
      const readable = layout.layers.filter(({ read }) => read);
      answers = await this.layers.ask(layout, readable, keys, (why) => {
        refusal = why;
      });
      return refusal ?? (readable.length === 0 ? "stale" : undefined);
    });
    return answers;
  }

  /** @internal */
  async addHashed(keys: HashedKeys): Promise<Uint8Array> {
    const changed = new Uint8Array(keys.count);
    const refusal = await this.layers.following((layout) => this.#add(layout, keys, changed));
    if (refusal) throw new RefusedError(this.name, refusal);
    return changed;
  }

  /**
   * A key that an older layer has is no news. It goes to the newest all the same where the older will expire, and to a
   * generation that is being filled, which will have to do without the older.
   */
  async #add(layout: Layout, keys: HashedKeys, changed: Uint8Array): Promise<Refusal | undefined> {
    const older = layout.layers.filter(({ read, write }) => read && !write);
    const writable = layout.layers.filter(({ write }) => write);
    if (older.length === 0) return this.layers.write(layout, writable, keys, changed);

    const filling = writable.filter(({ read }) => !read);
    const refused = await this.layers.write(layout, filling, keys, new Uint8Array(keys.count));
    if (refused) return refused;

    const known = await this.layers.ask(layout, older, keys, () => {});
    const indexes = Array.from(known.keys()).filter((i) => layout.windows || known[i] !== "maybe");
    const news = new Uint8Array(indexes.length);
    const serving = writable.filter(({ read }) => read);
    const refusal = await this.layers.write(layout, serving, keys.pick(indexes), news);
    indexes.forEach((index, i) => {
      if (known[index] !== "maybe") changed[index]! |= news[i]!;
    });
    return refusal;
  }

  /** Takes to the filter that has this name now, after somebody made it anew. It must have the same seed. */
  reopen(): Promise<void> {
    return this.layers.reopen();
  }

  async info(): Promise<RedisFilterInfo> {
    const layout = await this.layers.current();
    const layers = await Promise.all(layout.layers.map((layer) => this.#layerInfo(layout, layer)));
    const readable = layers.filter(({ read }) => read);
    return {
      name: layout.name,
      epoch: layout.epoch,
      layout: layout.number,
      layers,
      capacity: readable.reduce((sum, { capacity }) => sum + capacity, 0),
      count: readable.reduce((sum, { count }) => sum + count, 0),
      fill: this.fill,
    };
  }

  async #layerInfo(layout: Layout, layer: Layer): Promise<LayerInfo> {
    const states = await this.layers.callsOf(layer).state(layout);
    for (const state of states) this.layers.noteWritten(state.shard, state);
    const { capacity, errorRate, seed, hashes, lines } = layer.parameters;
    const ones = states.reduce((sum, state) => sum + state.ones, 0);
    return {
      capacity,
      errorRate,
      seed,
      hashes,
      lines,
      byteLength: lines * LINE,
      shards: states.length,
      shardBytes: Math.min(layer.shardLines, lines) * LINE,
      read: layer.read,
      write: layer.write,
      count: Math.round(keysFromOnes(ones, lines, hashes)),
      version: states.reduce((sum, state) => sum + state.version, 0),
    };
  }

  /** A local copy, made chunk by chunk. A filter that has grown has a layer for each time: see `snapshots`. */
  async snapshot(options: SnapshotOptions = {}): Promise<BloomFilter> {
    const { layers } = await this.layers.current();
    const readable = layers.filter(({ read }) => read).length;
    if (readable > 1) {
      throw new BloomlineError(
        "ERR_INCOMPATIBLE",
        `${this.name} has ${readable} layers, which are no single BloomFilter. Use snapshots(), or rebuild(source) first.`,
      );
    }
    return (await this.snapshots(options))[0]!;
  }

  /** A local copy of each layer; a key may be in any of them. */
  async snapshots({ onProgress, ...options }: SnapshotOptions = {}): Promise<BloomFilter[]> {
    const layout = await this.layers.current();
    const readable = layout.layers.filter(({ read }) => read);
    const total = readable.reduce((sum, { parameters }) => sum + parameters.lines * LINE, 0);
    let bytes = 0;
    const copies: BloomFilter[] = [];
    for (const layer of readable) {
      const copy = localFor(layer, options);
      await this.layers.callsOf(layer).copyTo(layout, copy, (more) => {
        bytes += more;
        onProgress?.({ bytes, total });
      });
      copies.push(copy);
    }
    return copies;
  }

  /** Adds all that a local filter holds, by OR: what is in Redis stays. */
  async push(local: BloomFilter): Promise<void> {
    const fits = ({ write, parameters: { lines, hashes, seed } }: Layer) =>
      write && local.lines === lines && local.hashes === hashes && local.seed === seed;
    if (!(local instanceof BloomFilter)) throw new TypeError("push takes a BloomFilter.");
    if (!this.layers.layout.layers.some(fits)) throw differ(this.name, newest(this.layers.layout), local);
    await this.pushLines(fits, local, () => usedLines(local));
  }

  /** @internal ORs lines of a local filter into every layer that fits. */
  async pushLines(fits: (layer: Layer) => boolean, local: BloomFilter, numbers: () => Iterable<number>): Promise<void> {
    const refusal = await this.layers.following(async (layout) => {
      const fitting = layout.layers.filter(fits);
      if (fitting.length === 0) return "gone";
      for (const layer of fitting) {
        const refusal = await this.layers.callsOf(layer).push(layout, local, numbers(), this.layers.noteWritten);
        if (refusal) return refusal;
      }
      return undefined;
    });
    if (refusal) throw new RefusedError(this.name, refusal);
  }

  /** Takes the filter out of Redis. Whoever has it open gets unknown. */
  async drop(): Promise<void> {
    const { layers } = (await loadLayout(this.#connection, this.name)) ?? this.layers.layout;
    await this.#connection.send(layoutKey(this.name), ["UNLINK", layoutKey(this.name)]);
    for (const layer of layers) {
      const { shards } = new LayerCalls(this.name, layer, this.#connection);
      for (const { keys } of shards) await this.#connection.send(keys[0], ["UNLINK", ...keys]);
    }
  }

  /** Adds a layer for new keys, of twice the capacity unless told otherwise; nothing is dropped. */
  grow(options: Partial<RemoteOptions> = {}): Promise<void> {
    return grow(this.layers, options);
  }

  /** Begins a window of time: new keys go to an empty layer, and of the older ones the last `windows` - 1 stay. */
  rotate(options: RotateOptions = {}): Promise<void> {
    return rotate(this.layers, options);
  }

  /**
   * Fills a new generation from the source while the old one serves, then switches. Keys added meanwhile go to both. If
   * the source fails, or gives fewer keys than `minimum`, the old generation stays and the new one goes. A filter that
   * was lost comes back this way; until it is filled, every answer is unknown.
   */
  async rebuild(source: KeySource, options: RebuildOptions = {}): Promise<void> {
    const held = await this.info().then(
      ({ count }) => count,
      () => 0,
    );
    await rebuild(this.layers, source, held, (keys) => this.hash(keys), options);
  }
}
