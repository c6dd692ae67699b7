import { BloomlineError } from "../errors.js";
import type { Key } from "../keys/key.js";
import { batchesOf } from "./batches.js";
import type { HybridFilter } from "./hybrid-filter.js";
import type { RedisFilter } from "./redis-filter.js";

export interface DedupOptions<T> {
  /** What tells two items apart; the item itself unless given. */
  readonly keyOf?: (item: T) => Key;
  /** A local copy that is asked first: what it has was seen, and costs no round trip. */
  readonly local?: HybridFilter;
  /** When Redis cannot tell: throw, pass the item on (perhaps twice), or hold it back. "throw" unless given. */
  readonly onUnknown?: "throw" | "pass" | "hold";
  /** Items judged in one round trip; 500 unless given. */
  readonly batch?: number;
}

export interface DedupCounts {
  readonly items: number;
  /** Passed on: seen here for the first time. */
  readonly fresh: number;
  /** Seen before, by the local copy or in the same batch. */
  readonly repeatedHere: number;
  /** Seen before, by Redis: another node was first. */
  readonly repeatedElsewhere: number;
  readonly unknown: number;
}

/**
 * Passes each item on once, whichever node sees it first: Redis adds and answers in one step, so of two nodes only one
 * is told that the item is new. A false positive of the filter holds back a new item, at the error rate. Windows come
 * from `rotate` of the filter.
 */
export class StreamDedup<T = Key> {
  readonly #remote: RedisFilter;
  readonly #options: DedupOptions<T>;
  readonly #counts = { items: 0, fresh: 0, repeatedHere: 0, repeatedElsewhere: 0, unknown: 0 };

  constructor(remote: RedisFilter, options: DedupOptions<T> = {}) {
    this.#remote = remote;
    this.#options = options;
  }

  /** Those of the items that nobody has seen, in order. */
  async fresh(items: readonly T[]): Promise<T[]> {
    const { keyOf = (item: T) => item as unknown as Key, local } = this.#options;
    this.#counts.items += items.length;
    const seen = new Set<Key>();
    const asked = items.filter((item) => {
      const key = keyOf(item);
      const repeated = seen.has(key) || local?.has(key) === "maybe";
      seen.add(key);
      if (repeated) this.#counts.repeatedHere++;
      return !repeated;
    });
    if (asked.length === 0) return [];
    let changed: Uint8Array;
    try {
      changed = await this.#remote.addMany(asked.map(keyOf));
    } catch (error) {
      return this.#unknown(asked, error);
    }
    const fresh = asked.filter((_, i) => changed[i]);
    this.#counts.fresh += fresh.length;
    this.#counts.repeatedElsewhere += asked.length - fresh.length;
    return fresh;
  }

  #unknown(items: T[], cause: unknown): T[] {
    const { onUnknown = "throw" } = this.#options;
    this.#counts.unknown += items.length;
    if (onUnknown === "pass") return items;
    if (onUnknown === "hold") return [];
    throw new BloomlineError("ERR_UNKNOWN", `Redis cannot tell which of ${items.length} items are new. Try again.`, {
      cause,
    });
  }

  /** The same for a stream of items. */
  async *stream(items: Iterable<T> | AsyncIterable<T>): AsyncGenerator<T> {
    const { batch: size = 500 } = this.#options;
    for await (const batch of batchesOf(items, size)) yield* await this.fresh(batch);
  }

  get counts(): DedupCounts {
    return { ...this.#counts };
  }
}
