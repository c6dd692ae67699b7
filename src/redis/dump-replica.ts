import { BloomlineError } from "../errors.js";
import { RedisBloomDump } from "../interop/redisbloom-dump.js";
import type { Keys } from "../keys/batch.js";
import type { Key } from "../keys/key.js";
import type { Answer } from "./answer.js";
import type { Progress } from "./layer-calls.js";
import { type Item, itemsOf, type RedisBloomFilter, type RedisBloomInfo } from "./redis-bloom-filter.js";
import type { Pulled, Replica } from "./replica.js";

/** Items sent at a time. */
const SENT = 500;

/**
 * The local copy of a RedisBloomFilter, opened from its dump. The module keeps no log, but it counts the items that changed
 * a bit: while that number is the copy's, the two are the same; when it is not, the filter is dumped again.
 */
export class DumpReplica implements Replica {
  #local: RedisBloomDump | undefined;
  #info: RedisBloomInfo | undefined;
  /** Oldest first. */
  readonly #pending: Item[] = [];
  /** Calls of add, to notice one that came between a question and its answer. */
  #adds = 0;

  constructor(
    private readonly remote: RedisBloomFilter,
    readonly places: number,
  ) {}

  get #copy(): RedisBloomDump {
    return this.#local as RedisBloomDump;
  }

  get version(): number {
    return this.#copy.count;
  }

  get waiting(): number {
    return this.#pending.length;
  }

  readonly overflowed = false;

  get fill(): number {
    return this.#info ? this.#info.items / this.#info.capacity : 0;
  }

  get largestKey(): number {
    return this.#info?.size ?? 0;
  }

  has(key: Key): boolean {
    return this.#copy.has(typeof key === "object" ? key : String(key));
  }

  hasMany(keys: Keys): Uint8Array {
    return this.#copy.hasMany(itemsOf(keys));
  }

  add(key: Key): boolean {
    return this.addMany([key]) === 1;
  }

  addMany(keys: Keys): number {
    const items = itemsOf(keys);
    if (this.#pending.length + items.length > this.places) {
      throw new BloomlineError(
        "ERR_FULL",
        `${this.#pending.length} of ${this.places} places wait for Redis, and ${items.length} more are to. Nothing was added; try again when it is back, or give a larger ring.`,
      );
    }
    this.#adds++;
    const added = this.#copy.addMany(items);
    this.#pending.push(...items);
    return added;
  }

  ask(keys: Keys): Promise<Answer[]> {
    return this.remote.hasMany(keys);
  }

  async sync(onProgress?: (progress: Progress) => void): Promise<void> {
    await this.remote.reopen();
    const info = await this.remote.info();
    let bytes = 0;
    const { remote } = this;
    async function* chunks() {
      for await (const chunk of remote.dump()) {
        yield chunk;
        bytes += chunk[1].length;
        onProgress?.({ bytes, total: Math.max(bytes, info.size) });
      }
    }
    const copy = await RedisBloomDump.fromStream(chunks());
    copy.addMany(this.#pending);
    this.#local?.dispose();
    this.#local = copy;
    this.#info = info;
  }

  async pull(behind: () => void): Promise<Pulled> {
    for (;;) {
      while (await this.drain()) {
        // What waits would look like a difference.
      }
      const adds = this.#adds;
      this.#info = await this.remote.info();
      if (adds !== this.#adds) continue;
      if (this.#info.items === this.#copy.count) return "step";
      behind();
      await this.sync();
      return "synced";
    }
  }

  async drain(): Promise<boolean> {
    const items = this.#pending.slice(0, SENT);
    if (items.length === 0) return false;
    this.#draining ??= this.remote
      .addMany(items)
      .then(() => {
        this.#pending.splice(0, items.length);
      })
      .finally(() => {
        this.#draining = undefined;
      });
    await this.#draining;
    return true;
  }

  /** One at a time, whoever asks: a batch must leave once. */
  #draining: Promise<void> | undefined;

  close(): void {
    // There is no connection of its own.
  }
}
