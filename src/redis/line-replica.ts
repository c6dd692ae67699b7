import { LINE } from "../engine/layout.js";
import { BloomlineError } from "../errors.js";
import { regionOf } from "../filters/line-filter.js";
import type { Keys } from "../keys/batch.js";
import type { Key } from "../keys/key.js";
import type { Answer } from "./answer.js";
import { DirtyLines } from "./dirty-lines.js";
import { eachOf } from "./each-of.js";
import { keepLayer } from "./growing.js";
import { HashedKeys } from "./hashed-keys.js";
import { type LayerCalls, localFor, mergeBytes, type Progress, RefusedError, usedLines } from "./layer-calls.js";
import type { Layer, Layout, Shard } from "./layout.js";
import { addHashed, type LocalLayer, LocalLayers } from "./local-layers.js";
import type { WaitingPort } from "./port.js";
import type { RedisFilter } from "./redis-filter.js";
import type { Pulled, Replica } from "./replica.js";
import { retrying } from "./retrying.js";
import { Ring } from "./ring.js";
import { type Break, eachRecord, fetchLog, type Log, type Point } from "./shard-calls.js";

/** Entries of a log taken at a time, and keys sent at a time. */
const ENTRIES = 64;
const SENT = 512;
const IN_FLIGHT = 8;

/** How often one pull follows a layout that changes under it. */
const TRIES = 8;

export interface LineReplicaOptions {
  /** Keys that may wait for Redis; beyond, lines are remembered. */
  readonly ring: number;
  /** Lay the copy in memory that threads can share. */
  readonly shared: boolean;
  /** Wait for news on a connection of its own. */
  readonly blocking: boolean;
}

/** The local copy of a RedisFilter: a BloomFilter for each layer. */
export class LineReplica implements Replica {
  readonly local: LocalLayers;
  #layout: Layout | undefined;
  /** Of that layout: the remote may be further on already. */
  #calls = new Map<string, LayerCalls>();
  /** How far the copy of each shard has come. */
  #points = new Map<string, Point>();
  #waiter: Promise<WaitingPort> | undefined;

  constructor(
    private readonly remote: RedisFilter,
    private readonly options: LineReplicaOptions,
  ) {
    this.local = new LocalLayers(remote.seed, Ring.of(options.ring), []);
  }

  /** The layout that the copy follows. */
  get layout(): Layout {
    return this.#layout ?? this.remote.layers.layout;
  }

  get version(): number {
    let sum = 0;
    for (const { version } of this.#points.values()) sum += version;
    return sum;
  }

  get waiting(): number {
    return this.local.ring.waiting;
  }

  get places(): number {
    return this.local.ring.size;
  }

  get overflowed(): boolean {
    return this.#orphans.length > 0 || this.local.layers.some(({ dirty }) => dirty.any);
  }

  get fill(): number {
    return this.remote.fill;
  }

  get largestKey(): number {
    return Math.max(
      ...this.layout.layers.map(({ shardLines, parameters }) => Math.min(shardLines, parameters.lines) * LINE),
    );
  }

  has(key: Key): boolean {
    return this.local.has(key);
  }

  hasMany(keys: Keys): Uint8Array {
    return this.local.hasMany(keys);
  }

  add(key: Key): boolean {
    return this.local.add(key);
  }

  addMany(keys: Keys): number {
    return this.local.addMany(keys);
  }

  ask(keys: Keys): Promise<Answer[]> {
    return this.remote.hasMany(keys);
  }

  async sync(onProgress?: (progress: Progress) => void): Promise<void> {
    this.#follow();
    await this.#copy(this.#shards(), onProgress);
  }

  async pull(behind: () => void): Promise<Pulled> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.#pullAll(behind);
      } catch (error) {
        if (!(error instanceof RefusedError) || tries === TRIES) throw error;
        behind();
        await this.#findLayout();
        this.#follow();
      }
    }
  }

  async #pullAll(behind: () => void): Promise<Pulled> {
    const lost: Shard[] = [];
    await eachOf(this.#shards(), IN_FLIGHT, async (shard) => {
      const point = this.#points.get(shard.id);
      // Without one there is no copy yet, or one that was begun and not ended.
      const broken = point ? await this.#pullShard(shard, point) : "gap";
      if (broken === "fork") this.#giveBack(shard);
      if (broken) lost.push(shard);
    });
    if (lost.length > 0) {
      behind();
      await this.#copy(lost);
      return "synced";
    }
    if (this.local.readable) return "step";
    throw new BloomlineError("ERR_GONE", `${this.remote.name} is being filled anew. Wait until that is done.`);
  }

  /** A newer layout, or a new epoch. A part that is lost under the old one stays lost. */
  async #findLayout(): Promise<void> {
    const { epoch, number } = this.layout;
    const { layers } = this.remote;
    if (layers.layout.number === number) await layers.reopen();
    if (layers.layout.epoch === epoch && layers.layout.number === number)
      throw new RefusedError(this.remote.name, "gone");
  }

  /** Follows the log to its end; returns why where it does not lead there. */
  async #pullShard(shard: Shard, from: Point): Promise<Break | undefined> {
    for (let point = from; ; ) {
      const log = await fetchLog(this.layout, shard, this.remote.layers.connection, point, ENTRIES);
      if (log === "gap" || log === "fork") return log;
      if (typeof log === "string") throw new RefusedError(this.remote.name, log);
      // A pull and a sync never overlap, so nobody else moved on meanwhile.
      this.#apply(shard, log);
      point = log.end;
      this.#points.set(shard.id, point);
      this.remote.layers.noteWritten(shard, log);
      if (point.version >= log.version) return undefined;
    }
  }

  /** The server went back to an older state. What we have of the newer one is still true: it shall have it again. */
  #giveBack(shard: Shard): void {
    const { filter, dirty } = this.#localOf(shard.layer);
    for (const line of usedLines(filter, shard.from, shard.lines)) dirty.mark(line);
  }

  #apply(shard: Shard, { entries }: Log): void {
    const { filter } = this.#localOf(shard.layer);
    for (const { kind, data } of entries) {
      if (kind === "hashes") {
        addHashed(filter, HashedKeys.fromBytes(data));
      } else {
        for (const [number, line] of eachRecord(Uint8Array.from(data)))
          mergeBytes(filter, (shard.from + number) * LINE, line);
      }
    }
  }

  async #copy(shards: readonly Shard[], onProgress?: (progress: Progress) => void): Promise<void> {
    const total = shards.reduce((sum, { bytes }) => sum + bytes, 0);
    let bytes = 0;
    for (const shard of shards) {
      const calls = this.#calls.get(shard.layer.id)!;
      const point = await calls.copyShard(
        this.layout,
        shard,
        this.#localOf(shard.layer).filter,
        (more) => {
          bytes += more;
          onProgress?.({ bytes, total });
        },
        retrying,
      );
      this.#points.set(shard.id, point);
    }
  }

  #shards(): Shard[] {
    return [...this.#calls.values()].flatMap(({ shards }) => shards);
  }

  #localOf({ id }: Layer): LocalLayer {
    return this.local.layers.find((layer) => layer.id === id)!;
  }

  /**
   * Takes to the remote's layout. Layers that stay keep their copies; new ones begin empty, with what Redis may not have
   * yet. In a new epoch every layer is new.
   */
  #follow(): void {
    const { layout } = this.remote.layers;
    const same = layout.epoch === this.#layout?.epoch;
    const old = this.local.layers;
    const kept = (id: string) => (same ? old.find((layer) => layer.id === id) : undefined);
    const layers = layout.layers.map((layer): LocalLayer => {
      const known = kept(layer.id);
      const { filter, dirty } = known ?? {
        filter: localFor(layer, { shared: this.options.shared }),
        dirty: DirtyLines.of(layer.parameters.lines),
      };
      return { id: layer.id, read: layer.read, write: layer.write, filter, dirty };
    });
    for (const layer of old) {
      if (!layers.some(({ filter }) => filter === layer.filter)) this.#rescue(layer, layers);
    }
    const pending = this.local.ring.peek(this.local.ring.size);
    for (const { write, filter } of layers) if (write) addHashed(filter, pending);
    this.local.layers = layers;
    this.#layout = layout;
    this.#calls = new Map(layout.layers.map((layer) => [layer.id, this.remote.layers.callsOf(layer)]));
    if (!same) this.#points.clear();
    const ids = new Set(this.#shards().map(({ id }) => id));
    for (const id of this.#points.keys()) if (!ids.has(id)) this.#points.delete(id);
  }

  #orphans: LocalLayer[] = [];

  /** Lines that Redis may not have, of a layer that it has no more: they go where they fit, or wait for a layer of their own. */
  #rescue({ filter, dirty, ...layer }: LocalLayer, layers: readonly LocalLayer[]): void {
    if (!dirty.any) return;
    const heir = layers.find((other) => other.write && other.filter.isCompatible(filter));
    if (!heir) {
      this.#orphans.push({ filter, dirty, ...layer });
      return;
    }
    const lines = regionOf(filter).lines();
    for (const line of dirty.take()) {
      mergeBytes(heir.filter, line * LINE, lines.slice(line * LINE, (line + 1) * LINE));
      heir.dirty.mark(line);
    }
  }

  async wait(ms: number): Promise<void> {
    const { connect } = this.remote.layers.connection.port;
    if (!this.options.blocking || !connect) return;
    this.#waiter ??= connect();
    try {
      const waiter = await this.#waiter;
      const shards = this.#shards();
      const logs = shards.map(({ keys }) => keys[2]);
      const ids = shards.map(({ id }) => `${this.#points.get(id)?.version ?? 0}-0`);
      await waiter.send(logs[0]!, ["XREAD", "COUNT", "1", "BLOCK", String(ms), "STREAMS", ...logs, ...ids]);
    } catch (error) {
      this.close();
      throw error;
    }
  }

  async drain(): Promise<boolean> {
    const { ring } = this.local;
    const keys = ring.peek(SENT);
    if (keys.count > 0) {
      await this.remote.addHashed(keys);
      ring.drop(keys.count);
      return true;
    }
    for (const layer of this.local.layers) {
      if (layer.write || layer.read) if (await this.#pushDirty(layer, layer.id)) return true;
    }
    const orphan = this.#orphans[0];
    if (!orphan) return false;
    const { id } = await keepLayer(this.remote.layers, orphan.filter);
    await this.#pushDirty(orphan, id);
    this.#orphans.shift();
    return true;
  }

  async #pushDirty({ filter, dirty }: LocalLayer, id: string): Promise<boolean> {
    const lines = dirty.take();
    if (lines.length === 0) return false;
    try {
      await this.remote.pushLines(
        (layer) => layer.id === id,
        filter,
        () => lines,
      );
    } catch (error) {
      for (const line of lines) dirty.mark(line);
      throw error;
    }
    return true;
  }

  close(): void {
    this.#waiter?.then(
      (waiter) => waiter.close(),
      () => {},
    );
    this.#waiter = undefined;
  }
}
