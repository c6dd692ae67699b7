import { Connection } from "../redis/connection.js";
import { type RedisPort, textOf } from "../redis/port.js";

/** An id of what is guarded. */
export type Id = string | number;

type Awaitable<T> = T | Promise<T>;

/** What a cache knows of an id: its value, or null for "there is none". */
export interface Cached<V> {
  readonly value: V | null;
}

/**
 * The cache behind the filter; `lruCache` and `redisCache` make one of what you have. A null must not take the place of a
 * value: whoever looked before the value was written may come with it afterwards.
 */
export interface GuardCache<V> {
  get(id: Id): Awaitable<Cached<V> | undefined>;
  set(id: Id, value: V | null, ttlMs: number): Awaitable<unknown>;
  delete(id: Id): Awaitable<unknown>;
}

/** As much of the package `lru-cache` as is used. */
interface LruCache<V> {
  get(id: Id): Cached<V> | undefined;
  set(id: Id, entry: Cached<V>, options: { ttl: number }): unknown;
  delete(id: Id): unknown;
}

/** Your LRUCache of the npm package `lru-cache`, in this process. */
export function lruCache<V>(cache: LruCache<V>): GuardCache<V> {
  return {
    get: (id) => cache.get(id),
    set(id, value, ttl) {
      const known = value === null && cache.get(id);
      if (!known) cache.set(id, { value }, { ttl });
    },
    delete: (id) => cache.delete(id),
  };
}

export interface RedisCacheOptions<V> {
  /** In front of every id; "cache:" unless given. */
  readonly prefix?: string;
  /** JSON unless given. */
  readonly stringify?: (value: V) => string;
  readonly parse?: (text: string) => V;
  /** How long to wait for a reply before the cache counts as empty; 1000 unless given. */
  readonly timeoutMs?: number;
}

/** Values in Redis strings. The empty string stands for "there is none". */
export function redisCache<V>(
  port: RedisPort,
  { prefix = "cache:", stringify = JSON.stringify, parse = JSON.parse, timeoutMs = 1000 }: RedisCacheOptions<V> = {},
): GuardCache<V> {
  const connection = new Connection(port, timeoutMs);
  const keyOf = (id: Id) => `${prefix}${id}`;
  const send = (id: Id, name: string, ...args: string[]) => connection.send(keyOf(id), [name, keyOf(id), ...args]);
  return {
    async get(id) {
      const reply = await send(id, "GET");
      if (reply === null || reply === undefined) return undefined;
      const text = textOf(reply);
      return { value: text === "" ? null : parse(text) };
    },
    set(id, value, ttlMs) {
      const ttl = ["PX", String(Math.ceil(ttlMs))];
      return value === null ? send(id, "SET", "", ...ttl, "NX") : send(id, "SET", stringify(value), ...ttl);
    },
    delete: (id) => send(id, "UNLINK"),
  };
}
