import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { BloomFilter } from "bloomline";
import {
  fromIoredis,
  fromNodeRedis,
  HybridFilter,
  type HybridOptions,
  HybridReader,
  RedisFilter,
  type RedisPort,
} from "bloomline/redis";
import type { Redis } from "ioredis";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { needs } from "../support/needs.js";
import { range } from "../support/random.js";
import { DURABLE, ioredis, nodeRedis, RedisServer, until } from "../support/redis.js";

const OPTIONS = { capacity: 20_000, errorRate: 0.01, seed: 7 };
const SHARDED = { ...OPTIONS, shardBytes: 4096 };
const BRISK = { pullMs: 5, maxStaleMs: 60_000 };

describe("HybridFilter", () => {
  let server: RedisServer;
  let admin: Redis;
  let client: Awaited<ReturnType<typeof nodeRedis>>;
  let second: Redis;
  let port: RedisPort;
  let otherPort: RedisPort;
  const open: HybridFilter[] = [];

  beforeAll(async () => {
    server = await RedisServer.start();
    admin = ioredis(server.port);
    client = await nodeRedis(server.url);
    second = ioredis(server.port);
    port = fromNodeRedis(client);
    otherPort = fromIoredis(second);
  });
  afterAll(async () => {
    client.destroy();
    admin.disconnect();
    second.disconnect();
    await server.stop();
  });
  beforeEach(() => admin.flushall());
  afterEach(async () => {
    for (const filter of open.splice(0)) await filter.close().catch(() => {});
  });

  async function hybrid(remote: RedisFilter, options: HybridOptions = BRISK): Promise<HybridFilter> {
    const filter = await HybridFilter.open(remote, options);
    open.push(filter);
    return filter;
  }

  /** Whether the copy and Redis hold the same, asked key by key over members and strangers. */
  async function agree(filter: HybridFilter, remote: RedisFilter, keys: Uint32Array): Promise<boolean> {
    const [here, there] = [filter.hasMany(keys), await remote.hasMany(keys)];
    return here.every((answer, i) => answer === there[i]);
  }

  test("begins with all there is, follows what others add, and adds for others", async () => {
    const remote = await RedisFilter.create(port, "users", SHARDED);
    await remote.addMany(range(0, 2000));
    const progress: number[] = [];
    const filter = await hybrid(remote, { ...BRISK, onProgress: ({ bytes, total }) => progress.push(bytes / total) });
    expect(progress.at(-1)).toBe(1);
    expect(filter.hasMany(range(0, 2000))).toEqual(Array(2000).fill("maybe"));
    const truth = BloomFilter.from(range(0, 2000), OPTIONS);
    expect(filter.hasMany(range(50_000, 60_000))).toEqual(
      Array.from(truth.hasMany(range(50_000, 60_000)), (bit) => (bit ? "maybe" : "absent")),
    );

    const elsewhere = await RedisFilter.open(otherPort, "users");
    await elsewhere.addMany(range(2000, 3000));
    await until(() => !filter.hasMany(range(2000, 3000)).includes("absent"));

    filter.add("mine");
    expect(filter.addMany(range(3000, 4000))).toBeGreaterThan(900);
    expect(filter.has("mine")).toBe("maybe");
    await filter.flush();
    expect(await elsewhere.has("mine")).toBe("maybe");
    expect(await elsewhere.hasMany(range(3000, 4000))).toEqual(Array(1000).fill("maybe"));
    await filter.pull();
    expect(await agree(filter, elsewhere, range(0, 20_000))).toBe(true);
    expect(filter.status).toMatchObject({ inStep: true, fullSyncs: 1, errors: 0, unknownAnswers: 0, ringFill: 0 });
    expect(filter.status.version).toBe((await elsewhere.info()).layers[0]!.version);
  });

  test("waits for news on a connection of its own", async () => {
    for (const each of [port, otherPort]) {
      await admin.flushall();
      const remote = await RedisFilter.create(each, "users", SHARDED);
      const filter = await hybrid(remote, { pullMs: 1000, maxStaleMs: 600_000, blocking: true });
      await sleep(20);
      await remote.add("news");
      // The pause would be 200 s; only the news can have ended it.
      await until(() => filter.has("news") === "maybe");
      await filter.close();
    }
  });

  test("a trimmed log costs exactly one full sync", async () => {
    const remote = await RedisFilter.create(port, "users", { ...OPTIONS, logEntries: 10 });
    const filter = await hybrid(remote, { pullMs: 600_000, maxStaleMs: 700_000 });
    for (let i = 0; i < 300; i++) await remote.addMany(range(i * 10, i * 10 + 10));
    expect(await admin.xlen("{users:0.0}:log")).toBeLessThan(300);
    await filter.pull();
    await filter.pull();
    expect(filter.status.fullSyncs).toBe(2);
    expect(filter.hasMany(range(0, 3000))).toEqual(Array(3000).fill("maybe"));
    expect(await agree(filter, remote, range(0, 10_000))).toBe(true);
    await remote.add("after");
    await filter.pull();
    expect(filter.has("after")).toBe("maybe");
    expect(filter.status.fullSyncs).toBe(2);
  });

  test("a lost log, or one of a wrong type, is a gap too", async () => {
    const remote = await RedisFilter.create(port, "users", OPTIONS);
    const filter = await hybrid(remote, { pullMs: 600_000, maxStaleMs: 700_000 });
    await remote.addMany(range(0, 100));
    await admin.unlink("{users:0.0}:log");
    await filter.pull();
    await admin.unlink("{users:0.0}:log");
    await admin.set("{users:0.0}:log", "not a stream");
    await remote.addMany(range(100, 200));
    await filter.pull();
    expect(filter.hasMany(range(0, 200))).toEqual(Array(200).fill("maybe"));
    expect(filter.status.fullSyncs).toBe(3);
  });

  test("made anew: one full sync, and nothing of the old filter", async () => {
    const remote = await RedisFilter.create(port, "users", SHARDED);
    await remote.addMany(range(0, 5000));
    const filter = await hybrid(remote, { pullMs: 600_000, maxStaleMs: 700_000 });
    const other = await RedisFilter.open(otherPort, "users");
    await other.drop();
    await expect(filter.pull()).rejects.toMatchObject({ code: "ERR_GONE" });
    expect(filter.has("stranger")).toBe("unknown");
    const anew = await RedisFilter.create(otherPort, "users", SHARDED);
    await anew.addMany(range(5000, 6000));
    await filter.pull();
    expect(filter.status).toMatchObject({ fullSyncs: 2, inStep: true });
    expect(await agree(filter, anew, range(0, 10_000))).toBe(true);
    expect(filter.hasMany(range(0, 5000)).filter((answer) => answer === "maybe").length).toBeLessThan(100);
  });

  test("a key that was added before the filter was made anew, and not sent yet, reaches the new one", async () => {
    const remote = await RedisFilter.create(port, "users", SHARDED);
    const filter = await hybrid(remote, { pullMs: 600_000, maxStaleMs: 700_000, ring: 4 });
    await (await RedisFilter.open(otherPort, "users")).drop();
    filter.addMany(range(0, 50));
    await sleep(20);
    await RedisFilter.create(otherPort, "users", SHARDED);
    await filter.pull();
    expect(filter.hasMany(range(0, 50))).toEqual(Array(50).fill("maybe"));
    await filter.flush();
    expect(await (await RedisFilter.open(otherPort, "users")).hasMany(range(0, 50))).toEqual(Array(50).fill("maybe"));
  });

  test("an evicted shard: unknown, not absent", async () => {
    const remote = await RedisFilter.create(port, "users", SHARDED);
    const filter = await hybrid(remote);
    expect(filter.has("stranger")).toBe("absent");
    await admin.unlink("{users:0.1}:bits");
    await until(() => filter.has("stranger") === "unknown");
    expect(await filter.ask("stranger")).toMatch(/absent|unknown/);
    expect(filter.status.lastError).toMatchObject({ code: "ERR_GONE" });
  });

  test("stale is unknown, also in a loop that starves the timers", async () => {
    const remote = await RedisFilter.create(port, "users", OPTIONS);
    const filter = await hybrid(remote, { pullMs: 10, maxStaleMs: 50, behind: "unknown" });
    expect(filter.has("stranger")).toBe("absent");
    const end = Date.now() + 100;
    while (Date.now() < end) {
      // Nothing else can run.
    }
    // In the same turn one of 32 looks at the clock; in another turn the first.
    const answers = Array.from({ length: 33 }, (_, i) => filter.has(`stranger ${i}`));
    expect(answers.at(-1)).toBe("unknown");
    expect(await filter.ask("stranger")).toBe("unknown");
    expect(filter.status.unknownAnswers).toBeGreaterThan(0);
    await until(() => filter.has("stranger") === "absent");
    const again = Date.now() + 100;
    while (Date.now() < again) {
      // Nothing else can run.
    }
    await null;
    expect(filter.has("stranger")).toBe("unknown");
  });

  test("closed: flushed, unknown, and it takes no more", async () => {
    const remote = await RedisFilter.create(port, "users", OPTIONS);
    const filter = await hybrid(remote, { ...BRISK, shared: true });
    const reader = new HybridReader(filter.share());
    filter.add("mine");
    reader.add("ours");
    await filter.close();
    await filter.close();
    expect(await remote.hasMany(["mine", "ours"])).toEqual(["maybe", "maybe"]);
    expect([filter.has("mine"), filter.has("stranger"), reader.has("stranger")]).toEqual([
      "maybe",
      "unknown",
      "unknown",
    ]);
    for (const each of [filter, reader]) {
      expect(() => each.add("late")).toThrowError(expect.objectContaining({ code: "ERR_DISPOSED" }));
      expect(() => each.addMany(["late"])).toThrowError(expect.objectContaining({ code: "ERR_DISPOSED" }));
    }
    await filter.pull();
    expect(filter.has("stranger")).toBe("unknown");
  });

  test("connections cut all the time: converges to equal bytes", async () => {
    const remote = await RedisFilter.create(port, "users", { capacity: 1_500_000, shardBytes: 2 ** 19 });
    await remote.addMany(range(0, 20_000));
    let cutting = true;
    const cutter = (async () => {
      for (let i = 0; cutting; i++) {
        const ours = await admin.client("ID");
        for (const line of String(await admin.client("LIST")).split("\n")) {
          const id = /^id=(\d+)/.exec(line)?.[1];
          if (id && Number(id) !== ours) await admin.client("KILL", "ID", Number(id)).catch(() => {});
        }
        await sleep(i < 4 ? 10 : 250);
      }
    })();
    const filter = await hybrid(remote, { pullMs: 10, maxStaleMs: 60_000 });
    for (let i = 0; i < 20; i++) {
      filter.addMany(range(20_000 + i * 500, 20_500 + i * 500));
      await sleep(25);
    }
    await filter.flush();
    cutting = false;
    await cutter;
    const exact = await RedisFilter.open(otherPort, "users", { timeoutMs: 5000 });
    await until(() => agree(filter, exact, range(0, 60_000)));
    const expected = BloomFilter.from(range(0, 30_000), { capacity: 1_500_000 });
    expect((await exact.snapshot()).equals(expected)).toBe(true);
  });

  describe("the server goes away", () => {
    test.skipIf(!needs.redisServer)("adds wait; the ring overflows; when it is back nothing is missing", async () => {
      const own = await RedisServer.start({ args: DURABLE });
      const ownClient = await nodeRedis(own.url);
      try {
        const remote = await RedisFilter.create(fromNodeRedis(ownClient), "users", { ...SHARDED, timeoutMs: 200 });
        const filter = await HybridFilter.open(remote, { pullMs: 20, maxStaleMs: 300, ring: 256 });
        filter.addMany(range(0, 100));
        await filter.flush();
        await own.kill();
        for (let i = 0; i < 20; i++) {
          filter.addMany(range(100 + i * 100, 200 + i * 100));
          await sleep(20);
        }
        expect(filter.status.overflowed).toBe(true);
        expect(filter.status.ringFill).toBe(1);
        await until(() => filter.has("stranger") === "unknown");
        expect(filter.hasMany(range(0, 2100))).toEqual(Array(2100).fill("maybe"));
        await expect(filter.flush({ timeoutMs: 50 })).rejects.toMatchObject({ code: "ERR_REDIS" });

        await own.start();
        await filter.flush();
        expect(filter.status.overflowed).toBe(false);
        const reader = await RedisFilter.open(fromNodeRedis(ownClient), "users");
        expect(await reader.hasMany(range(0, 2100))).toEqual(Array(2100).fill("maybe"));
        await until(() => filter.has("stranger") === "absent");
        expect((await reader.snapshot()).equals(BloomFilter.from(range(0, 2100), OPTIONS))).toBe(true);
        await filter.close();
      } finally {
        ownClient.destroy();
        await own.stop();
      }
    });

    test("back with an older state of the same filter: the copy gives back what it has", async () => {
      const remote = await RedisFilter.create(port, "users", SHARDED);
      await remote.addMany(range(0, 100));
      const keys = await admin.keys("*");
      const dump = await Promise.all(keys.map((key) => admin.dumpBuffer(key)));
      const filter = await hybrid(remote, { pullMs: 600_000, maxStaleMs: 700_000 });
      await remote.addMany(range(100, 1000));
      await filter.pull();
      await admin.flushall();
      for (const [i, key] of keys.entries()) await admin.restore(key, 0, dump[i]!);
      expect((await remote.hasMany(range(0, 1000))).includes("absent")).toBe(true);
      await filter.pull();
      await filter.flush();
      expect(await remote.hasMany(range(0, 1000))).toEqual(Array(1000).fill("maybe"));
    });
  });

  test("back with an older state, and gone on from there to as many versions: nothing is missed, nothing lost", async () => {
    const remote = await RedisFilter.create(port, "users", OPTIONS);
    await remote.addMany(range(0, 100));
    const keys = await admin.keys("*");
    const dump = await Promise.all(keys.map((key) => admin.dumpBuffer(key)));
    for (const more of [1, 3]) {
      await admin.flushall();
      for (const [i, key] of keys.entries()) await admin.restore(key, 0, dump[i]!);
      const filter = await hybrid(remote, { pullMs: 600_000, maxStaleMs: 700_000 });
      await remote.addMany(range(100, 200));
      await filter.pull();
      const { version } = filter.status;
      await admin.flushall();
      for (const [i, key] of keys.entries()) await admin.restore(key, 0, dump[i]!);
      for (let i = 0; i < more; i++) await remote.addMany(range(200 + i * 100, 300 + i * 100));
      expect((await remote.info()).layers[0]!.version).toBe(version + more - 1);
      await filter.pull();
      expect(filter.status).toMatchObject({ inStep: true, fullSyncs: 2 });
      const all = range(0, 200 + more * 100);
      expect(filter.hasMany(all)).toEqual(Array(all.length).fill("maybe"));
      await filter.flush();
      expect(await remote.hasMany(all)).toEqual(Array(all.length).fill("maybe"));
      await filter.close();
    }
  });

  describe("worker threads", () => {
    test("read and add through one copy, which one thread keeps in step", async () => {
      const remote = await RedisFilter.create(port, "users", SHARDED);
      await remote.addMany(range(0, 1000));
      const filter = await hybrid(remote, { ...BRISK, shared: true });
      const code = `
        const { parentPort, workerData } = require("node:worker_threads");
        import("bloomline/redis").then(({ HybridReader }) => {
          const reader = new HybridReader(workerData.handle);
          parentPort.on("message", (message) => {
            if (message.follow) reader.follow(message.follow);
            if (message.add) reader.addMany(message.add);
            parentPort.postMessage(message.ask ? reader.hasMany(message.ask) : "done");
          });
          parentPort.postMessage("ready");
        });`;
      const workers = [0, 1].map(() => new Worker(code, { eval: true, workerData: { handle: filter.share() } }));
      await Promise.all(workers.map((worker) => once(worker, "message")));
      const tell = async (worker: Worker, message: object) => {
        worker.postMessage(message);
        return (await once(worker, "message"))[0];
      };
      expect(await tell(workers[0]!, { ask: range(0, 1000) })).toEqual(Array(1000).fill("maybe"));
      await Promise.all(workers.map((worker, i) => tell(worker, { add: range(1000 + i * 1000, 2000 + i * 1000) })));
      expect(await tell(workers[1]!, { ask: range(0, 3000) })).toEqual(Array(3000).fill("maybe"));
      expect(filter.hasMany(range(0, 3000))).toEqual(Array(3000).fill("maybe"));
      await filter.flush();
      expect(await remote.hasMany(range(0, 3000))).toEqual(Array(3000).fill("maybe"));
      expect(await tell(workers[0]!, { ask: ["stranger"] })).toEqual(["absent"]);

      const moved = once(filter, "layout");
      await (await RedisFilter.open(otherPort, "users")).grow();
      const [handle] = await moved;
      await until(() => filter.status.inStep);
      expect(await tell(workers[0]!, { ask: ["stranger"] })).toEqual(["unknown"]);
      expect(await tell(workers[0]!, { follow: filter.share(), ask: ["stranger"] })).toEqual(["absent"]);
      expect(handle).toHaveProperty("layers");
      await Promise.all(workers.map((worker) => worker.terminate()));
    });

    test("a copy in private memory cannot be shared", async () => {
      const filter = await hybrid(await RedisFilter.create(port, "users", SHARDED));
      expect(() => filter.share()).toThrowError(expect.objectContaining({ code: "ERR_NOT_SHARED" }));
    });
  });

  test("warns at 70 % of the capacity, and of big keys", async () => {
    const warnings: string[] = [];
    const remote = await RedisFilter.create(port, "users", { capacity: 1000 });
    const filter = await hybrid(remote, { pullMs: 600_000, maxStaleMs: 700_000 });
    filter.on("warning", (message) => warnings.push(message));
    await remote.addMany(range(0, 600));
    await filter.pull();
    expect(warnings).toEqual([]);
    await remote.addMany(range(600, 750));
    await filter.pull();
    await filter.pull();
    expect(warnings).toEqual([expect.stringMatching(/7\d %/)]);

    const big = await hybrid(
      await RedisFilter.create(port, "big", { capacity: 1e7, shardBytes: 2 ** 24, timeoutMs: 5000 }),
    );
    const [warning] = await once(big, "warning");
    expect(warning).toMatch(/12 MiB|shardBytes/);
  });

  test("options are checked", async () => {
    const remote = await RedisFilter.create(port, "users", OPTIONS);
    for (const bad of [{ pullMs: 0 }, { pullMs: 100, maxStaleMs: 100 }, { ring: 3 }, { behind: "never" as never }]) {
      await expect(HybridFilter.open(remote, bad)).rejects.toThrow(RangeError);
    }
  });
});
