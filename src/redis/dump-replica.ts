import { BloomlineError } from "../errors.js";
import { RedisBloomDump } from "../interop/redisbloom-dump.js";
import type { Keys } from "../keys/batch.js";
import type { Key } from "../keys/key.js";
import type { Answer } from "./answer.js";
import type { Progress } from "./layer-calls.js";
import { type Item, itemsOf, type RedisBloomFilter, type RedisBloomInfo } from "./redis-bloom-filter.js";
import type { Pulled, Replica } from "./replica.js";
import { retrying } from "./retrying.js";

/** Items sent at a time. */
const SENT = 500;

interface Pending {
  readonly item: Item;
  /** Whether it was new to the copy. */
  readonly added: boolean;
}

/**
 * The local copy of a RedisBloomFilter, opened from its dump. The module keeps no log, but it counts the items that changed
 * a bit: while that number is the copy's, and every item was as new there as here, the two are the same. Otherwise the filter
 * is dumped again.
 */
export class DumpReplica implements Replica {
  #local: RedisBloomDump | undefined;
  #info: RedisBloomInfo | undefined;
  /** Oldest first. */
  #pending: Pending[] = [];
  /** An item was new here and not there, or the other way round. */
  #diverged = false;
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
    let count = 0;
    for (const item of items) {
      const added = this.#copy.add(item);
      this.#pending.push({ item, added });
      if (added) count++;
    }
    return count;
  }

  ask(keys: Keys): Promise<Answer[]> {
    return this.remote.hasMany(keys);
  }

  sync(onProgress?: (progress: Progress) => void): Promise<void> {
    return retrying(() => this.#sync(onProgress));
  }

  async #sync(onProgress?: (progress: Progress) => void): Promise<void> {
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
    this.#diverged = false;
    const copy = await RedisBloomDump.fromStream(chunks());
    this.#pending = this.#pending.map(({ item }) => ({ item, added: copy.add(item) }));
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
      if (this.#info.items === this.#copy.count && !this.#diverged) return "step";
      behind();
      await this.sync();
      return "synced";
    }
  }

  async drain(): Promise<boolean> {
    if (this.#pending.length === 0) return false;
    this.#draining ??= this.#send(this.#pending.slice(0, SENT)).finally(() => {
      this.#draining = undefined;
    });
    await this.#draining;
    return true;
  }

  async #send(sent: readonly Pending[]): Promise<void> {
    const added = await this.remote.addMany(sent.map(({ item }) => item));
    this.#diverged ||= sent.some((each, i) => each.added !== (added[i] === 1));
    this.#pending.splice(0, sent.length);
  }

  /** One at a time, whoever asks: a batch must leave once. */
  #draining: Promise<void> | undefined;

  close(): void {
    // There is no connection of its own.
  }
}
