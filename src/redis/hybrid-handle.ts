import type { FilterHandle } from "../engine/handle.js";
import { BloomlineError } from "../errors.js";
import { BloomFilter } from "../filters/bloom-filter.js";
import type { Keys } from "../keys/batch.js";
import type { Key } from "../keys/key.js";
import type { Answer } from "./answer.js";
import { DirtyLines } from "./dirty-lines.js";
import { LineReplica } from "./line-replica.js";
import { LocalLayers } from "./local-layers.js";
import type { Replica } from "./replica.js";
import { Ring } from "./ring.js";
import { Standing } from "./standing.js";

/** A HybridFilter's copy on its way to another thread. It can be posted, or given as workerData. */
export interface HybridHandle {
  readonly bloomline: 1;
  readonly seed: bigint;
  readonly layout: number;
  readonly standing: SharedArrayBuffer;
  readonly ring: SharedArrayBuffer;
  readonly layers: readonly {
    readonly id: string;
    readonly read: boolean;
    readonly write: boolean;
    readonly filter: FilterHandle;
    readonly dirty: SharedArrayBuffer;
  }[];
}

/** @internal */
export function handleOf(replica: Replica, standing: Standing): HybridHandle {
  if (!(replica instanceof LineReplica)) {
    throw new BloomlineError(
      "ERR_NOT_SHARED",
      "The copy of a RedisBloomFilter cannot be shared. Open one in each worker.",
    );
  }
  const { local, layout } = replica;
  return {
    bloomline: 1,
    seed: layout.layers[0]!.parameters.seed,
    layout: layout.number,
    standing: standing.buffer,
    ring: local.ring.buffer,
    layers: local.layers.map(({ id, read, write, filter, dirty }) => ({
      id,
      read,
      write,
      filter: filter.share(),
      dirty: dirty.buffer,
    })),
  };
}

/** The same copy in a worker thread: reads it, and adds through it. The thread that opened it keeps it in step. */
export class HybridReader {
  #local!: LocalLayers;
  #standing!: Standing;
  #layout!: number;

  constructor(handle: HybridHandle) {
    this.follow(handle);
  }

  /** Takes to a new handle, from the event "layout". Until then what is not in the copy is unknown. */
  follow(handle: HybridHandle): void {
    const layers = handle.layers.map(({ filter, dirty, ...layer }) => ({
      ...layer,
      filter: BloomFilter.attach(filter),
      dirty: new DirtyLines(dirty),
    }));
    this.#local = new LocalLayers(handle.seed, new Ring(handle.ring), layers);
    this.#standing = new Standing(handle.standing);
    this.#layout = handle.layout;
  }

  has(key: Key): Answer {
    if (this.#local.has(key)) return "maybe";
    return this.#standing.about && this.#standing.layout === this.#layout ? "absent" : "unknown";
  }

  hasMany(keys: Keys): Answer[] {
    const no = this.#standing.now && this.#standing.layout === this.#layout ? "absent" : "unknown";
    return Array.from(this.#local.hasMany(keys), (bit) => (bit ? "maybe" : no));
  }

  /** In the copy at once; the thread that opened it sends it to Redis. */
  add(key: Key): boolean {
    this.#standing.checkOpen();
    return this.#local.add(key);
  }

  addMany(keys: Keys): number {
    this.#standing.checkOpen();
    return this.#local.addMany(keys);
  }
}
