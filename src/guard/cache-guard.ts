import { BloomlineError, mustBe, show } from "../errors.js";
import type { Answer } from "../redis/answer.js";
import { batchesOf } from "../redis/batches.js";
import type { GuardCache, Id } from "./cache.js";
import { Gate } from "./gate.js";

/** Ids added to the filter at a time. */
const WARM_BATCH = 1000;

type Awaitable<T> = T | Promise<T>;

/** Any filter: HybridFilter, RedisFilter, or a local BloomFilter. */
export interface GuardFilter {
  has(id: Id): Awaitable<Answer | boolean>;
  /** Where it is given, it is asked instead of `has`. */
  ask?(id: Id): Promise<Answer>;
  add(id: Id): unknown;
  addMany(ids: Id[]): unknown;
  /** Where adds are sent later, this waits until they have arrived. */
  flush?(options: { timeoutMs: number }): Promise<void>;
}

export interface GuardOptions<V> {
  readonly filter: GuardFilter;
  readonly cache: GuardCache<V>;
  /** Reads the database; null or undefined where there is no such id. */
  readonly load: (id: Id) => Awaitable<V | null | undefined>;
  /** Writes the database, for `create`. */
  readonly write?: (id: Id, value: V) => Awaitable<unknown>;
  /** How long a value is cached; 300,000 unless given, and 0 for not at all. */
  readonly ttlMs?: number;
  /** How long it is remembered that there is no such id; 60,000 unless given, and 0 for not at all. */
  readonly nullTtlMs?: number;
  /** The share by which times to live vary, so that they do not end together; 0.1 unless given. */
  readonly jitter?: number;
  /** When the filter cannot tell: ask cache and database, say there is none, or throw. "open" unless given. */
  readonly onUnknown?: "open" | "closed" | "throw";
  /** Loads under way at a time for ids of which the filter could not tell, or the cache; 16 unless given. */
  readonly unknownLoads?: number;
  /** Ids that the filter takes for members, and that are known not to be. */
  readonly exceptions?: Iterable<Id>;
  /** A second opinion before the database is asked: false means there is no such id. */
  readonly confirm?: (id: Id) => Awaitable<boolean>;
  /** Until `warmUp` is complete, "absent" counts as unknown. */
  readonly cold?: boolean;
  /** How long `create` waits for the filter to have the id everywhere; 1000 unless given. */
  readonly flushMs?: number;
}

export interface GuardMetrics {
  readonly gets: number;
  /** Stopped by the filter: neither cache nor database was asked. */
  readonly stopped: number;
  /** Stopped because they are listed as exceptions. */
  readonly exceptions: number;
  readonly cacheHits: number;
  /** Answered by a cached "there is none". */
  readonly nullHits: number;
  /** The database was asked. */
  readonly loads: number;
  /** Waited for somebody else's load of the same id. */
  readonly joined: number;
  /** The filter could not tell. */
  readonly unknown: number;
  /** The cache failed: it was as if it had nothing. */
  readonly cacheErrors: number;
  /** The filter said maybe, and there was no such id. */
  readonly falsePositives: number;
  /** Of all strangers seen, the share that the filter took for members. */
  readonly falsePositiveRate: number;
}

/** One look into the cache, and where that has nothing one load, for all who ask for an id at the same time. */
interface Flight<V> {
  readonly result: Promise<V | null>;
  /** The cache had nothing. */
  loading: boolean;
  /** A value was written meanwhile, so what is loaded now may be old. */
  overtaken: boolean;
}

/** Keeps ids that do not exist away from a cache and a database. */
export class CacheGuard<V> {
  readonly exceptions: Set<Id>;
  readonly #options: GuardOptions<V> &
    Required<Pick<GuardOptions<V>, "ttlMs" | "nullTtlMs" | "jitter" | "onUnknown" | "flushMs">>;
  readonly #gate: Gate;
  readonly #flights = new Map<Id, Flight<V>>();
  readonly #counts = {
    gets: 0,
    stopped: 0,
    exceptions: 0,
    cacheHits: 0,
    nullHits: 0,
    loads: 0,
    joined: 0,
    unknown: 0,
    cacheErrors: 0,
    falsePositives: 0,
  };
  #cold: boolean;
  #warming = 0;

  constructor(options: GuardOptions<V>) {
    const { unknownLoads = 16, onUnknown = "open", jitter = 0.1, exceptions = [], cold = false } = options;
    const { ttlMs = 300_000, nullTtlMs = 60_000, flushMs = 1000 } = options;
    if (typeof options.load !== "function")
      throw mustBe("load", options.load, "a function that reads the database", TypeError);
    for (const [name, ms] of Object.entries({ ttlMs, nullTtlMs })) {
      if (!(ms >= 0 && ms < Number.POSITIVE_INFINITY)) throw mustBe(name, ms, "a number of milliseconds from 0 up");
    }
    if (!(unknownLoads >= 1)) throw mustBe("unknownLoads", unknownLoads, "1 or more");
    if (!(jitter >= 0 && jitter < 1)) throw mustBe("jitter", jitter, "from 0 up to, but not including, 1");
    if (!["open", "closed", "throw"].includes(onUnknown)) {
      throw mustBe("onUnknown", onUnknown, '"open", "closed" or "throw"');
    }
    this.#options = { ...options, ttlMs, nullTtlMs, flushMs, onUnknown, jitter };
    this.#gate = new Gate(unknownLoads);
    this.exceptions = new Set(exceptions);
    this.#cold = cold;
  }

  /** The value of an id, or undefined where there is none. */
  async get(id: Id): Promise<V | undefined> {
    this.#counts.gets++;
    if (this.exceptions.has(id)) {
      this.#counts.exceptions++;
      return undefined;
    }
    const answer = await this.#ask(id);
    if (answer === "absent") {
      this.#counts.stopped++;
      return undefined;
    }
    if (answer === "unknown") {
      this.#counts.unknown++;
      if (this.#options.onUnknown === "closed") return undefined;
      if (this.#options.onUnknown === "throw") {
        throw new BloomlineError("ERR_UNKNOWN", `The filter cannot tell whether there is ${show(id)}. Try again.`);
      }
    }
    const known = this.#flights.get(id);
    const flight = known ?? this.#fly(id, answer);
    try {
      const value = await flight.result;
      if (!flight.loading) this.#counts[value === null ? "nullHits" : "cacheHits"]++;
      return value ?? undefined;
    } finally {
      if (known && flight.loading) this.#counts.joined++;
    }
  }

  async #ask(id: Id): Promise<Answer> {
    const { filter } = this.#options;
    const given = await (filter.ask ? filter.ask(id) : filter.has(id));
    const answer = typeof given === "boolean" ? (given ? "maybe" : "absent") : given;
    return answer === "absent" && this.#cold ? "unknown" : answer;
  }

  #fly(id: Id, answer: Answer): Flight<V> {
    const flight: Flight<V> = {
      overtaken: false,
      loading: false,
      // Not before this object is whole.
      result: Promise.resolve()
        .then(() => this.#find(id, answer, flight))
        .finally(() => {
          if (this.#flights.get(id) === flight) this.#flights.delete(id);
        }),
    };
    this.#flights.set(id, flight);
    return flight;
  }

  async #find(id: Id, answer: Answer, flight: Flight<V>): Promise<V | null> {
    // Where neither the filter nor the cache keeps the crowd away, only so many may load at a time.
    let exposed = answer === "unknown";
    try {
      const cached = await this.#options.cache.get(id);
      if (cached) return cached.value;
    } catch {
      this.#counts.cacheErrors++;
      exposed = true;
    }
    flight.loading = true;
    const load = () => this.#load(id);
    const value = await (exposed ? this.#gate.pass(load) : load());
    if (value === null && answer === "maybe" && !flight.overtaken) this.#counts.falsePositives++;
    await Promise.all([this.#fillFilter(id, value, answer), this.#fillCache(id, value, flight)]);
    return value;
  }

  async #load(id: Id): Promise<V | null> {
    const { load, confirm } = this.#options;
    if (confirm && !(await confirm(id))) return null;
    this.#counts.loads++;
    return (await load(id)) ?? null;
  }

  async #keep(id: Id, value: V | null): Promise<void> {
    const { cache, ttlMs, nullTtlMs } = this.#options;
    const ttl = value === null ? nullTtlMs : ttlMs;
    if (ttl > 0) await cache.set(id, value, this.#vary(ttl));
  }

  /** While the filter is away it takes nothing; what was found is found all the same. */
  async #fillFilter(id: Id, value: V | null, answer: Answer): Promise<void> {
    if (value === null || answer !== "unknown") return;
    try {
      await this.#options.filter.add(id);
    } catch {
      // It will be asked for again.
    }
  }

  async #fillCache(id: Id, value: V | null, flight: Flight<V>): Promise<void> {
    if (flight.overtaken) return;
    try {
      await this.#keep(id, value);
    } catch {
      this.#counts.cacheErrors++;
    }
  }

  #vary(ttlMs: number): number {
    return ttlMs * (1 + this.#options.jitter * (2 * Math.random() - 1));
  }

  /**
   * Adds an id: to the filter, then to the database, then to the cache. In that order nobody is told that a present id
   * is absent; if the database refuses, what stays is a harmless maybe.
   */
  async create(id: Id, value: V): Promise<void> {
    const { filter, write, flushMs } = this.#options;
    if (!write) throw new TypeError("create needs the option write, which writes the database.");
    await filter.add(id);
    await filter.flush?.({ timeoutMs: flushMs });
    this.exceptions.delete(id);
    await write(id, value);
    const flight = this.#flights.get(id);
    if (flight) flight.overtaken = true;
    this.#flights.delete(id);
    await this.#keep(id, value);
  }

  /** Adds all ids there are, and only then lets the filter say "absent". Returns how many there were. */
  async warmUp(
    source: Iterable<Id> | AsyncIterable<Id>,
    { onProgress }: { onProgress?: (ids: number) => void } = {},
  ): Promise<number> {
    const { filter } = this.#options;
    this.#cold = true;
    this.#warming++;
    let total = 0;
    try {
      for await (const ids of batchesOf(source, WARM_BATCH)) {
        await filter.addMany(ids);
        // Batch by batch: what waits for Redis has few places.
        await filter.flush?.({ timeoutMs: Number.POSITIVE_INFINITY });
        total += ids.length;
        onProgress?.(total);
      }
    } finally {
      this.#warming--;
    }
    // Another one may still be under way.
    this.#cold = this.#warming > 0;
    return total;
  }

  /** Whether "absent" still counts as unknown. */
  get cold(): boolean {
    return this.#cold;
  }

  get metrics(): GuardMetrics {
    const { stopped, falsePositives } = this.#counts;
    return { ...this.#counts, falsePositiveRate: falsePositives / Math.max(1, stopped + falsePositives) };
  }
}
