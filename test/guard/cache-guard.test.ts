import { setTimeout as sleep } from "node:timers/promises";
import { BloomFilter } from "bloomline";
import { CacheGuard, type GuardFilter, type GuardOptions, lruCache, redisCache } from "bloomline/guard";
import { type Answer, fromNodeRedis, HybridFilter, RedisFilter } from "bloomline/redis";
import { LRUCache } from "lru-cache";
import { beforeEach, describe, expect, test } from "vitest";
import { nodeRedis, RedisServer } from "../support/redis.js";

interface User {
  readonly name: string;
}

/** A database that notes what it was asked. */
class Database {
  readonly rows = new Map<number | string, User>();
  readonly asked: (number | string)[] = [];
  atOnce = 0;
  mostAtOnce = 0;

  load = async (id: number | string): Promise<User | undefined> => {
    this.asked.push(id);
    this.mostAtOnce = Math.max(this.mostAtOnce, ++this.atOnce);
    await sleep(1);
    this.atOnce--;
    return this.rows.get(id);
  };

  write = async (id: number | string, user: User): Promise<void> => {
    this.rows.set(id, user);
  };
}

describe("CacheGuard", () => {
  let database: Database;
  let filter: BloomFilter;
  let lru: LRUCache<number | string, { value: User | null }>;

  beforeEach(() => {
    database = new Database();
    filter = new BloomFilter({ capacity: 1000, errorRate: 0.01 });
    lru = new LRUCache({ max: 1000 });
    for (let id = 0; id < 500; id++) {
      database.rows.set(id, { name: `user ${id}` });
      filter.add(id);
    }
  });

  const guardOf = (options: Partial<GuardOptions<User>> = {}) =>
    new CacheGuard<User>({ filter, cache: lruCache(lru), load: database.load, write: database.write, ...options });

  /** A filter that answers as told. */
  const saying = (answer: Answer): GuardFilter => ({ has: () => answer, add: () => {}, addMany: () => {} });

  /** Strangers that the filter takes for members. */
  const falsePositives = () => Array.from({ length: 100_000 }, (_, i) => i + 1000).filter((id) => filter.has(id));

  test("an absent id touches neither cache nor database", async () => {
    const strangers = Array.from({ length: 2000 }, (_, i) => i + 1000).filter((id) => !filter.has(id));
    const guard = guardOf({ cache: { get: () => expect.fail(), set: () => expect.fail(), delete: () => {} } });
    for (const id of strangers) expect(await guard.get(id)).toBeUndefined();
    expect(database.asked).toEqual([]);
    expect(guard.metrics).toMatchObject({ gets: strangers.length, stopped: strangers.length, loads: 0 });
  });

  test("a member is loaded once, then cached", async () => {
    const guard = guardOf();
    expect(await guard.get(7)).toEqual({ name: "user 7" });
    expect(await guard.get(7)).toEqual({ name: "user 7" });
    expect(database.asked).toEqual([7]);
    expect(guard.metrics).toMatchObject({ loads: 1, cacheHits: 1, falsePositives: 0 });
  });

  test("many at once load once, also when loading fails", async () => {
    const guard = guardOf();
    const all = await Promise.all(Array.from({ length: 50 }, () => guard.get(7)));
    expect(all).toEqual(Array(50).fill({ name: "user 7" }));
    expect(guard.metrics).toMatchObject({ loads: 1, joined: 49 });

    let loads = 0;
    const failing = guardOf({
      load: async () => {
        loads++;
        await sleep(1);
        throw new Error("down");
      },
    });
    const results = await Promise.allSettled(Array.from({ length: 10 }, () => failing.get(8)));
    expect(results.every(({ status }) => status === "rejected")).toBe(true);
    expect(loads).toBe(1);
    await expect(failing.get(8)).rejects.toThrow("down");
    expect(loads).toBe(2);
  });

  test("however slow the cache, those who ask together load once", async () => {
    const cache = lruCache(lru);
    let asked = 0;
    // The later a question, the later its answer: each would come back after the one before has loaded.
    const slow = { ...cache, get: async (id: number | string) => sleep(++asked * 10, cache.get(id)) };
    const guard = guardOf({ cache: slow });
    await Promise.all(Array.from({ length: 5 }, () => guard.get(7)));
    expect(database.asked).toEqual([7]);
    expect(guard.metrics).toMatchObject({ gets: 5, loads: 1, joined: 4, cacheHits: 0 });
    await Promise.all(Array.from({ length: 5 }, () => guard.get(7)));
    expect(guard.metrics).toMatchObject({ gets: 10, loads: 1, joined: 4, cacheHits: 5 });
  });

  test("a cache that fails is an empty one, and loads are bounded", async () => {
    const away = () => Promise.reject(new Error("away"));
    const guard = guardOf({ cache: { get: away, set: away, delete: away }, unknownLoads: 3 });
    const ids = [...Array(20).keys()];
    expect(await Promise.all(ids.map((id) => guard.get(id)))).toEqual(ids.map((id) => ({ name: `user ${id}` })));
    expect(database.mostAtOnce).toBe(3);
    expect(guard.metrics).toMatchObject({ loads: 20, cacheErrors: 40, unknown: 0 });
  });

  test("what is not to be cached is not", async () => {
    const set = () => expect.fail();
    const guard = guardOf({ cache: { get: () => undefined, set, delete: () => {} }, ttlMs: 0, nullTtlMs: 0 });
    expect(await guard.get(7)).toEqual({ name: "user 7" });
    expect(await guard.get(falsePositives()[0]!)).toBeUndefined();
    expect(guard.metrics).toMatchObject({ loads: 2, cacheErrors: 0 });
  });

  test("a false positive is loaded once and then remembered, for a time that varies", async () => {
    const ttls: number[] = [];
    const cache = lruCache(lru);
    const guard = guardOf({
      nullTtlMs: 1000,
      jitter: 0.2,
      cache: {
        ...cache,
        set: (id, value, ttl) => {
          expect(value).toBeNull();
          ttls.push(ttl);
          return cache.set(id, value, ttl);
        },
      },
    });
    const ids = falsePositives().slice(0, 20);
    expect(ids.length).toBe(20);
    for (const id of ids) for (let i = 0; i < 3; i++) expect(await guard.get(id)).toBeUndefined();
    expect(database.asked).toEqual(ids);
    expect(guard.metrics).toMatchObject({ loads: 20, nullHits: 40, falsePositives: 20, falsePositiveRate: 1 });
    expect(Math.min(...ttls)).toBeGreaterThanOrEqual(800);
    expect(Math.max(...ttls)).toBeLessThanOrEqual(1200);
    expect(new Set(ttls).size).toBeGreaterThan(10);
  });

  test("the measured rate is the filter's", async () => {
    const guard = guardOf();
    for (let id = 1000; id < 21_000; id++) await guard.get(id);
    const { falsePositiveRate, gets, stopped, falsePositives } = guard.metrics;
    expect(gets).toBe(stopped + falsePositives);
    expect(falsePositiveRate).toBeCloseTo(
      filter.hasMany(Uint32Array.from({ length: 20_000 }, (_, i) => i + 1000)).reduce((a, b) => a + b, 0) / 20_000,
      10,
    );
  });

  test("exceptions and the second opinion", async () => {
    const [known, other] = falsePositives();
    const guard = guardOf({ exceptions: [known!], confirm: (id) => id !== other });
    expect(await guard.get(known!)).toBeUndefined();
    expect(await guard.get(other!)).toBeUndefined();
    expect(await guard.get(7)).toEqual({ name: "user 7" });
    expect(database.asked).toEqual([7]);
    expect(guard.metrics).toMatchObject({ exceptions: 1, falsePositives: 1 });
    await guard.create(known!, { name: "new" });
    expect(await guard.get(known!)).toEqual({ name: "new" });
  });

  describe("unknown", () => {
    test("fails open with bounded loads, and fills the filter", async () => {
      const added: unknown[] = [];
      const guard = guardOf({ filter: { ...saying("unknown"), add: (id) => added.push(id) }, unknownLoads: 4 });
      const ids = [...Array(40).keys()];
      const users = await Promise.all(ids.map((id) => guard.get(id)));
      expect(users).toEqual(ids.map((id) => ({ name: `user ${id}` })));
      expect(database.mostAtOnce).toBe(4);
      expect(added.sort()).toEqual(ids.sort());
      expect(await guard.get("nobody")).toBeUndefined();
      expect(guard.metrics).toMatchObject({ unknown: 41, falsePositives: 0 });
    });

    test("what is found is returned, also when the filter takes nothing", async () => {
      const add = () => Promise.reject(new Error("away"));
      const guard = guardOf({ filter: { ...saying("unknown"), add } });
      expect(await guard.get(7)).toEqual({ name: "user 7" });
      expect(await guard.get(7)).toEqual({ name: "user 7" });
      expect(guard.metrics).toMatchObject({ loads: 1, cacheHits: 1 });
    });

    test("a load for a definite maybe waits for nobody", async () => {
      await Promise.all([...Array(40).keys()].map((id) => guardOf({ unknownLoads: 4 }).get(id)));
      expect(database.mostAtOnce).toBeGreaterThan(4);
    });

    test("fails closed, or throws", async () => {
      expect(await guardOf({ filter: saying("unknown"), onUnknown: "closed" }).get(7)).toBeUndefined();
      await expect(guardOf({ filter: saying("unknown"), onUnknown: "throw" }).get(7)).rejects.toMatchObject({
        code: "ERR_UNKNOWN",
      });
      expect(database.asked).toEqual([]);
    });
  });

  describe("create", () => {
    test("filter, database, cache, in this order", async () => {
      const steps: string[] = [];
      const guard = guardOf({
        filter: { ...saying("maybe"), add: () => steps.push("filter"), flush: async () => void steps.push("flush") },
        write: () => void steps.push("database"),
        cache: { get: () => undefined, set: () => steps.push("cache"), delete: () => {} },
      });
      await guard.create(1, { name: "x" });
      expect(steps).toEqual(["filter", "flush", "database", "cache"]);
    });

    test("a failed write leaves a harmless maybe", async () => {
      const id = 5_000_000;
      expect(filter.has(id)).toBe(false);
      const guard = guardOf({ write: () => Promise.reject(new Error("full")) });
      await expect(guard.create(id, { name: "x" })).rejects.toThrow("full");
      expect(filter.has(id)).toBe(true);
      expect(await guard.get(id)).toBeUndefined();
      expect(guard.metrics.falsePositives).toBe(1);
    });

    test("a filter that cannot take the id keeps it out of the database", async () => {
      const guard = guardOf({ filter: { ...saying("maybe"), flush: () => Promise.reject(new Error("away")) } });
      await expect(guard.create(9999, { name: "x" })).rejects.toThrow("away");
      expect(database.rows.has(9999)).toBe(false);
    });

    test("overtakes a load that began before it", async () => {
      const id = falsePositives()[0]!;
      const guard = guardOf();
      const early = guard.get(id);
      await Promise.resolve();
      await guard.create(id, { name: "late" });
      await early;
      expect(await guard.get(id)).toEqual({ name: "late" });
    });
  });

  describe("warmUp", () => {
    test("refuses to say absent before it is complete", async () => {
      const empty = new BloomFilter({ capacity: 1000 });
      const guard = guardOf({ filter: empty, cold: true });
      expect(await guard.get(7)).toEqual({ name: "user 7" });
      const progress: number[] = [];
      async function* ids() {
        for (const id of database.rows.keys()) {
          yield id;
          if (id === 250) {
            expect(guard.cold).toBe(true);
            expect(await guard.get(499)).toEqual({ name: "user 499" });
          }
        }
      }
      expect(await guard.warmUp(ids(), { onProgress: (n) => progress.push(n) })).toBe(500);
      expect(progress.at(-1)).toBe(500);
      expect(guard.cold).toBe(false);
      database.asked.length = 0;
      for (const id of ["a", "b", "c"]) await guard.get(id);
      expect(guard.metrics.stopped + guard.metrics.falsePositives).toBe(3);
    });

    test("two at once: not before both are complete", async () => {
      const guard = guardOf();
      let go = () => {};
      async function* slow() {
        yield 1;
        await new Promise<void>((resolve) => {
          go = resolve;
        });
        yield 2;
      }
      const warming = guard.warmUp(slow());
      await guard.warmUp([3]);
      expect(guard.cold).toBe(true);
      go();
      await warming;
      expect(guard.cold).toBe(false);
    });

    test("batch by batch, where adds wait for Redis", async () => {
      let waiting = 0;
      let most = 0;
      const filter: GuardFilter = {
        ...saying("absent"),
        addMany: (ids) => {
          most = Math.max(most, (waiting += ids.length));
        },
        flush: async () => {
          waiting = 0;
        },
      };
      expect(await guardOf({ filter }).warmUp(Array(5500).keys())).toBe(5500);
      expect(most).toBe(1000);
      expect(waiting).toBe(0);
    });

    test("a source that fails leaves it cold", async () => {
      const guard = guardOf();
      async function* ids() {
        yield 1;
        throw new Error("cursor lost");
      }
      await expect(guard.warmUp(ids())).rejects.toThrow("cursor lost");
      expect(guard.cold).toBe(true);
      expect(await guard.get("stranger")).toBeUndefined();
      expect(guard.metrics.unknown).toBe(1);
    });
  });

  test("a null that comes late does not take the place of a value", async () => {
    const cache = lruCache(lru);
    await cache.set("id", { name: "x" }, 1000);
    await cache.set("id", null, 1000);
    expect(await cache.get("id")).toEqual({ value: { name: "x" } });
  });

  test("options are checked", () => {
    expect(() => guardOf({ unknownLoads: 0 })).toThrow(RangeError);
    expect(() => guardOf({ jitter: 1 })).toThrow(RangeError);
    expect(() => guardOf({ nullTtlMs: -1 })).toThrow(RangeError);
    expect(() => guardOf({ ttlMs: Number.POSITIVE_INFINITY })).toThrow(RangeError);
    expect(() => guardOf({ load: undefined as never })).toThrow(TypeError);
    expect(() => guardOf({ onUnknown: "maybe" as never })).toThrow(RangeError);
  });

  test("over a hybrid, with a cache in Redis", async () => {
    const server = await RedisServer.start();
    const client = await nodeRedis(server.url);
    try {
      const port = fromNodeRedis(client);
      const remote = await RedisFilter.create(port, "users", { capacity: 1000 });
      const hybrid = await HybridFilter.open(remote, { pullMs: 5, maxStaleMs: 60_000 });
      const guard = guardOf({ filter: hybrid, cache: redisCache<User>(port), cold: true });
      await guard.warmUp(database.rows.keys());
      expect(await guard.get(7)).toEqual({ name: "user 7" });
      expect(await guard.get(7)).toEqual({ name: "user 7" });
      expect(database.asked).toEqual([7]);
      await guard.create("fresh", { name: "ключ" });
      expect(await remote.has("fresh")).toBe("maybe");
      expect(await guard.get("fresh")).toEqual({ name: "ключ" });
      expect(await client.pTTL("cache:7")).toBeGreaterThan(200_000);
      const cache = redisCache<User>(port);
      await cache.set("fresh", null, 1000);
      expect(await cache.get("fresh")).toEqual({ value: { name: "ключ" } });
      await cache.set("nobody", null, 1000);
      expect(await cache.get("nobody")).toEqual({ value: null });
      await cache.delete("nobody");
      expect(await cache.get("nobody")).toBeUndefined();
      await hybrid.close();

      const ownFilter = await RedisFilter.open(port, "users", { timeoutMs: 100 });
      const outage = guardOf({ filter: ownFilter, cache: redisCache<User>(port, { timeoutMs: 100 }), unknownLoads: 2 });
      await server.kill();
      database.asked.length = database.mostAtOnce = 0;
      const all = await Promise.all([1, 2, 3, 4, 4, "nobody"].map((id) => outage.get(id)));
      expect(all.map((user) => user?.name)).toEqual(["user 1", "user 2", "user 3", "user 4", "user 4", undefined]);
      expect(database.mostAtOnce).toBe(2);
      expect(outage.metrics).toMatchObject({ unknown: 6, loads: 5, joined: 1 });
      await expect(outage.create(600, { name: "x" })).rejects.toMatchObject({ code: "ERR_REDIS" });
      expect(database.rows.has(600)).toBe(false);
    } finally {
      client.destroy();
      await server.stop();
    }
  });
});
