import { BloomlineError, mustBe } from "../errors.js";
import type { Item } from "../interop/items.js";
import { checkEachKey, checkKeys, counted, countOf, type Keys, type PackedKeys } from "../keys/batch.js";
import type { Key } from "../keys/key.js";
import type { Answer } from "./answer.js";
import { Connection, isReply } from "./connection.js";
import { eachOf } from "./each-of.js";
import { RefusedError } from "./layer-calls.js";
import { type Argument, bytesOf, type RedisPort, type Reply, textOf } from "./port.js";

export type { Item };

import type { ConnectOptions } from "./redis-filter.js";

/** Items in one command, and commands under way at a time. */
const ITEMS = 500;
const IN_FLIGHT = 16;

export interface RedisBloomFilterOptions extends ConnectOptions {
  readonly capacity: number;
  /** 0.01 unless given. */
  readonly errorRate?: number;
  /** How much larger each further layer is; 2 unless given. */
  readonly expansion?: number;
  /** Rather refuse items than add a layer. */
  readonly nonScaling?: boolean;
}

export interface RedisBloomInfo {
  readonly capacity: number;
  /** Bytes in Redis. */
  readonly size: number;
  /** Layers. */
  readonly filters: number;
  readonly items: number;
  /** 0 where it does not scale. */
  readonly expansion: number;
}

/** What BF.MEXISTS says: numbers, or booleans in RESP3. */
const ANSWERS = new Map<number, Answer>([
  [0, "absent"],
  [1, "maybe"],
]);

/** A filter of the RedisBloom module, by its own commands. Its answers are as truthful as RedisFilter's: never absent by accident. */
export class RedisBloomFilter {
  readonly #connection: Connection;
  /** Items that were seen in it, and those added here: it never holds fewer, unless it was made anew. */
  #items = 0;
  #added = 0;
  #lost = false;

  private constructor(
    connection: Connection,
    readonly name: string,
  ) {
    this.#connection = connection;
  }

  /** Makes a filter with BF.RESERVE. Where there is one already, opens it if capacity and expansion are the same. */
  static async create(port: RedisPort, name: string, options: RedisBloomFilterOptions): Promise<RedisBloomFilter> {
    const { capacity, errorRate = 0.01, expansion = 2, nonScaling = false, timeoutMs = 1000 } = options;
    if (!Number.isSafeInteger(capacity) || capacity < 1) throw mustBe("capacity", capacity, "a whole number from 1 up");
    if (!(errorRate > 0 && errorRate < 1)) throw mustBe("errorRate", errorRate, "between 0 and 1");
    const filter = new RedisBloomFilter(new Connection(port, timeoutMs), name);
    const scaling = nonScaling ? ["NONSCALING"] : ["EXPANSION", String(expansion)];
    try {
      await filter.#send("BF.RESERVE", String(errorRate), String(capacity), ...scaling);
    } catch (error) {
      if (!isReply(error, "ERR item exists") && !isReply(error, "item exists")) throw error;
      const found = await filter.info();
      const wanted = nonScaling ? 0 : expansion;
      // The capacity that is reported grows with the layers, so only that of a single layer can be compared.
      if (found.expansion !== wanted || (found.filters === 1 && found.capacity !== capacity)) {
        throw new BloomlineError(
          "ERR_INCOMPATIBLE",
          `${name} in Redis has capacity ${found.capacity}, expansion ${found.expansion}; here it is capacity ${capacity}, expansion ${wanted}. Use the same options, or another name.`,
        );
      }
    }
    return filter;
  }

  static async open(
    port: RedisPort,
    name: string,
    { timeoutMs = 1000 }: ConnectOptions = {},
  ): Promise<RedisBloomFilter> {
    const filter = new RedisBloomFilter(new Connection(port, timeoutMs), name);
    await filter.info();
    return filter;
  }

  #send(command: string, ...args: Argument[]): Promise<Reply> {
    return this.#connection.send(this.name, [command, this.name, ...args]);
  }

  /** True: it was not there. */
  async add(key: Key): Promise<boolean> {
    return (await this.addMany([key]))[0] === 1;
  }

  async has(key: Key): Promise<Answer> {
    return (await this.hasMany([key]))[0]!;
  }

  /** Adds items: 1 for each that was not there. Not with BF.MADD, which makes a small filter where there is none. */
  async addMany(keys: Keys): Promise<Uint8Array> {
    const items = itemsOf(keys);
    const added = new Uint8Array(items.length);
    await eachOf(batches(items), IN_FLIGHT, async ([from, batch]) => {
      const reply = await this.#known(() => this.#send("BF.INSERT", "NOCREATE", "ITEMS", ...batch));
      const flags = Array.isArray(reply) ? reply : [];
      for (let i = 0; i < batch.length; i++) {
        const flag = flags[i];
        // A full filter that does not scale ends its reply with an error, short of the rest.
        if (flag === undefined || (flag as unknown) instanceof Error) {
          throw new BloomlineError(
            "ERR_FULL",
            `${this.name} is full and does not scale: it took ${from + i} of ${items.length} items. Make a larger one.`,
          );
        }
        added[from + i] = Number(flag);
        this.#added += added[from + i]!;
      }
    });
    return added;
  }

  /** Never throws for want of Redis: what cannot be known is unknown. A missing filter would answer 0, so it is looked for each time. */
  async hasMany(keys: Keys): Promise<Answer[]> {
    const items = itemsOf(keys);
    const answers = new Array<Answer>(items.length).fill("unknown");
    await eachOf(batches(items), IN_FLIGHT, async ([from, batch]) => {
      try {
        const [reply] = await Promise.all([this.#send("BF.MEXISTS", ...batch), this.info()]);
        if (this.#lost || !Array.isArray(reply) || reply.length !== batch.length) return;
        for (const [i, flag] of reply.entries()) answers[from + i] = ANSWERS.get(Number(flag)) ?? "unknown";
      } catch {
        // They stay unknown.
      }
    });
    return this.#lost ? answers.fill("unknown") : answers;
  }

  /** BF.INFO. Notices when the filter is not the one that was opened. */
  async info(): Promise<RedisBloomInfo> {
    // Before it is asked: of what is added meanwhile the reply may know or not.
    const atLeast = Math.max(this.#items, this.#added);
    const reply = await this.#known(() => this.#send("BF.INFO"));
    const flat = Array.isArray(reply) ? reply : [];
    const field = (name: string) =>
      Number(flat[flat.findIndex((each, i) => i % 2 === 0 && textOf(each) === name) + 1] ?? 0);
    const items = field("Number of items inserted");
    this.#lost ||= items < atLeast;
    this.#items = Math.max(items, this.#items);
    return {
      capacity: field("Capacity"),
      size: field("Size"),
      filters: field("Number of filters"),
      items,
      expansion: field("Expansion rate"),
    };
  }

  /** BF.CARD: how many items were added. */
  async card(): Promise<number> {
    return Number(await this.#send("BF.CARD"));
  }

  /** BF.SCANDUMP: the chunks that RedisBloomDump opens. */
  async *dump(): AsyncGenerator<[iterator: number, data: Uint8Array]> {
    for (let iterator = 0; ; ) {
      const reply = await this.#known(() => this.#send("BF.SCANDUMP", String(iterator)));
      const [next, data] = reply as readonly Reply[];
      iterator = Number(next);
      if (iterator === 0) return;
      yield [iterator, bytesOf(data)];
    }
  }

  /** Takes to the filter that has this name now, after it was made anew. */
  async reopen(): Promise<void> {
    this.#items = 0;
    this.#added = 0;
    this.#lost = false;
    await this.info();
  }

  async drop(): Promise<void> {
    await this.#connection.send(this.name, ["UNLINK", this.name]);
  }

  async #known<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (isReply(error, "ERR not found") || isReply(error, "not found")) throw new RefusedError(this.name, "gone");
      throw error;
    }
  }
}

/** What Redis gets for a key: a number is its text, as every client sends it. */
export function itemsOf(keys: Keys): Item[] {
  checkKeys(keys);
  const all = counted(keys);
  checkEachKey(all);
  if ("offsets" in all) {
    const { bytes, offsets } = all as PackedKeys;
    return Array.from({ length: countOf(all) }, (_, i) => bytes.subarray(offsets[i], offsets[i + 1]));
  }
  return Array.from(all as Iterable<Key>, (key) => (typeof key === "object" ? key : String(key)));
}

function batches(items: Item[]): [from: number, batch: Item[]][] {
  return Array.from({ length: Math.ceil(items.length / ITEMS) }, (_, i) => [
    i * ITEMS,
    items.slice(i * ITEMS, (i + 1) * ITEMS),
  ]);
}
