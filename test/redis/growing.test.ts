import { setTimeout as sleep } from "node:timers/promises";
import { BloomFilter } from "bloomline";
import { fromIoredis, fromNodeRedis, HybridFilter, RedisFilter, type RedisPort } from "bloomline/redis";
import type { Redis } from "ioredis";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { range } from "../support/random.js";
import { ioredis, nodeRedis, RedisServer } from "../support/redis.js";

const OPTIONS = { capacity: 2000, errorRate: 0.01, shardBytes: 1024, seed: 3 };
/** Nobody else writes in most of these tests, so there is nothing to wait for. */
const AT_ONCE = { graceMs: 1, settleMs: 0 };
const maybes = (n: number) => Array(n).fill("maybe");

describe("a filter that changes while it is used", () => {
  let server: RedisServer;
  let admin: Redis;
  let client: Awaited<ReturnType<typeof nodeRedis>>;
  let port: RedisPort;
  let otherPort: RedisPort;

  beforeAll(async () => {
    server = await RedisServer.start();
    admin = ioredis(server.port);
    client = await nodeRedis(server.url);
    port = fromNodeRedis(client);
    otherPort = fromIoredis(admin);
  });
  afterAll(async () => {
    client.destroy();
    admin.disconnect();
    await server.stop();
  });
  beforeEach(() => admin.flushall());

  test("grow adds a layer, and those who have the filter open follow", async () => {
    const remote = await RedisFilter.create(port, "f", OPTIONS);
    const reader = await RedisFilter.open(otherPort, "f");
    await remote.addMany(range(0, 2000));
    await remote.grow();
    expect(Array.from(await remote.addMany(range(0, 2000)))).toEqual(Array(2000).fill(0));
    await remote.addMany(range(2000, 5000));
    expect(await reader.hasMany(range(0, 5000))).toEqual(maybes(5000));
    await reader.addMany(range(5000, 6000));
    expect(await remote.hasMany(range(0, 6000))).toEqual(maybes(6000));
    const info = await reader.info();
    expect(info.layers.map(({ capacity, write }) => [capacity, write])).toEqual([
      [2000, false],
      [4000, true],
    ]);
    expect(info.capacity).toBe(6000);
    expect(Math.abs(info.count - 6000)).toBeLessThan(200);
    await expect(remote.snapshot()).rejects.toMatchObject({ code: "ERR_INCOMPATIBLE" });
    const copies = await remote.snapshots();
    expect(Array.from(range(0, 6000)).every((key) => copies.some((copy) => copy.has(key)))).toBe(true);
    // Strangers are told apart at about the sum of the layers' rates.
    const strangers = await reader.hasMany(range(100_000, 120_000));
    expect(strangers.filter((answer) => answer === "maybe").length / 20_000).toBeLessThan(0.03);
  });

  test("two who change the layout at once: one is told", async () => {
    const remote = await RedisFilter.create(port, "f", OPTIONS);
    const other = await RedisFilter.open(otherPort, "f");
    const results = await Promise.allSettled([remote.grow(), other.grow()]);
    const failed = results.filter((result) => result.status === "rejected");
    for (const result of failed) expect(result.reason).toMatchObject({ code: "ERR_CONFLICT" });
    expect(failed.length).toBeLessThan(2);
    await other.addMany(range(0, 3000));
    expect(await remote.hasMany(range(0, 3000))).toEqual(maybes(3000));
  });

  test("no acknowledged key is ever absent while layouts change", async () => {
    const remote = await RedisFilter.create(port, "f", OPTIONS);
    const writer = await RedisFilter.open(otherPort, "f");
    const reader = await RedisFilter.open(port, "f");
    await writer.addMany(range(0, 20));
    let next = 20;
    let done = false;
    let checks = 0;
    const writing = (async () => {
      while (!done) {
        await writer.addMany(range(next, next + 20));
        next += 20;
      }
    })();
    const reading = (async () => {
      while (!done) {
        const known = next;
        const from = Math.max(0, known - 400);
        expect((await reader.hasMany(range(from, known))).filter((answer) => answer === "absent")).toEqual([]);
        checks++;
      }
    })();
    for (let i = 0; i < 4; i++) {
      await sleep(30);
      await remote.grow({ capacity: 3000 });
      await sleep(30);
      async function* source() {
        for (let i = 0; i < next; i++) yield i;
      }
      await remote.rebuild(source(), { options: { capacity: 10_000 }, graceMs: 20, settleMs: 50, minimum: 0 });
    }
    done = true;
    await Promise.all([writing, reading]);
    expect(checks).toBeGreaterThan(5);
    expect(await remote.hasMany(range(0, next))).toEqual(maybes(next));
  });

  test("rebuild: a new generation without what the source no longer has; the old one goes", async () => {
    const remote = await RedisFilter.create(port, "f", OPTIONS);
    await remote.addMany(range(0, 2000));
    const progress: number[] = [];
    async function* source() {
      for (let i = 0; i < 1500; i++) yield i;
      await remote.add("meanwhile");
    }
    await remote.rebuild(source(), { ...AT_ONCE, onProgress: (keys) => progress.push(keys) });
    expect(progress.at(-1)).toBe(1500);
    const truth = BloomFilter.from(range(0, 1500), OPTIONS);
    truth.add("meanwhile");
    expect((await remote.snapshot()).equals(truth)).toBe(true);
    await sleep(20);
    expect((await admin.keys("{f:0.*")).length).toBe(0);
  });

  test("rebuild: a key that the old layers only seem to have reaches the new generation", async () => {
    const remote = await RedisFilter.create(port, "f", OPTIONS);
    await remote.addMany(range(0, 2000));
    await remote.grow();
    const [old] = await remote.snapshots();
    const seeming = Array.from(range(100_000, 140_000)).filter((key) => old!.has(key));
    expect(seeming.length).toBeGreaterThan(100);
    async function* source() {
      yield* range(0, 2000);
      await remote.addMany(seeming);
    }
    await remote.rebuild(source(), AT_ONCE);
    expect(await remote.hasMany(seeming)).toEqual(maybes(seeming.length));
  });

  test("refuses to drop what was not rebuilt", async () => {
    const remote = await RedisFilter.create(port, "f", OPTIONS);
    await remote.addMany(range(0, 2000));
    const before = (await remote.snapshot()).toBytes();
    async function* failing() {
      yield 1;
      throw new Error("cursor lost");
    }
    await expect(remote.rebuild(failing(), AT_ONCE)).rejects.toThrow("cursor lost");
    await expect(remote.rebuild(range(0, 500), AT_ONCE)).rejects.toMatchObject({
      code: "ERR_INCOMPLETE",
      message: expect.stringMatching(/gave 500 keys.*at least \d{3,4}/),
    });
    expect((await remote.snapshot()).toBytes()).toEqual(before);
    expect(await (await RedisFilter.open(otherPort, "f")).hasMany(range(0, 2000))).toEqual(maybes(2000));
    expect((await remote.info()).layers.length).toBe(1);
    await remote.rebuild(range(0, 500), { ...AT_ONCE, minimum: 500 });
    expect((await remote.info()).count).toBeLessThan(510);
  });

  test("lost altogether, it comes back by rebuild; until then all is unknown", async () => {
    const remote = await RedisFilter.create(port, "f", OPTIONS);
    const other = await RedisFilter.open(otherPort, "f");
    await remote.addMany(range(0, 1000));
    await admin.flushall();
    async function* source() {
      for (let i = 0; i < 1000; i++) {
        yield i;
        if (i === 500) {
          expect(await remote.hasMany([1, "stranger"])).toEqual(["unknown", "unknown"]);
          const third = await RedisFilter.open(otherPort, "f");
          expect(await third.hasMany([1, "stranger"])).toEqual(["unknown", "unknown"]);
        }
      }
    }
    await remote.rebuild(source(), AT_ONCE);
    expect(await remote.hasMany(range(0, 1000))).toEqual(maybes(1000));
    expect(await remote.has("stranger")).toBe("absent");
    expect(await other.has(1)).toBe("unknown");
    await other.reopen();
    expect(await other.hasMany(range(0, 1000))).toEqual(maybes(1000));
  });

  test("rotate: a key stays for its window and the next", async () => {
    const remote = await RedisFilter.create(port, "f", OPTIONS);
    const reader = await RedisFilter.open(otherPort, "f");
    await remote.addMany(range(0, 500));
    await remote.rotate({ graceMs: 1 });
    expect(await reader.hasMany(range(0, 500))).toEqual(maybes(500));
    expect(Array.from(await reader.addMany(range(0, 100)))).toEqual(Array(100).fill(0));
    await reader.addMany(range(500, 1000));
    await remote.rotate({ graceMs: 1 });
    expect(await reader.hasMany(range(500, 1000))).toEqual(maybes(500));
    // Seen again in the second window, so kept; the others are of the first alone.
    expect(await reader.hasMany(range(0, 100))).toEqual(maybes(100));
    expect((await reader.hasMany(range(100, 500))).filter((answer) => answer === "maybe").length).toBeLessThan(20);
    await remote.rotate({ windows: 1, graceMs: 1 });
    expect((await reader.info()).count).toBe(0);
    await expect(remote.rotate({ windows: 0 })).rejects.toThrow(RangeError);
  });

  test("a grow that was cut short is completed by the next", async () => {
    const remote = await RedisFilter.create(port, "f", OPTIONS);
    await remote.addMany(range(0, 100));
    let left = 40;
    const failing: RedisPort = {
      cluster: false,
      send: (key, command, timeout) =>
        left-- > 0 ? port.send(key, command, timeout) : Promise.reject(new Error("cut")),
    };
    const unlucky = await RedisFilter.open(failing, "f");
    const shards = (await remote.info()).layers[0]!.shards;
    left = 1 + shards * 2 * 2 + 2;
    await expect(unlucky.grow()).rejects.toMatchObject({ code: "ERR_REDIS" });
    await remote.addMany(range(100, 200));
    await remote.grow();
    await remote.addMany(range(200, 300));
    expect(await remote.hasMany(range(0, 300))).toEqual(maybes(300));
    expect((await remote.info()).layers.length).toBe(2);
  });

  test("a hybrid follows every change", async () => {
    const remote = await RedisFilter.create(port, "f", OPTIONS);
    const filter = await HybridFilter.open(await RedisFilter.open(otherPort, "f"), { pullMs: 5, maxStaleMs: 60_000 });
    try {
      await remote.addMany(range(0, 1000));
      await remote.grow();
      await remote.addMany(range(1000, 2000));
      await filter.pull();
      expect(filter.hasMany(range(0, 2000))).toEqual(maybes(2000));
      expect(filter.has("stranger")).toBe("absent");
      filter.addMany(range(2000, 2500));
      await filter.flush();
      await remote.rebuild(range(0, 2500), { ...AT_ONCE, options: { capacity: 5000 } });
      filter.addMany(range(2500, 3000));
      await filter.flush();
      await filter.pull();
      expect(await remote.hasMany(range(0, 3000))).toEqual(maybes(3000));
      expect(filter.hasMany(range(0, 3000))).toEqual(maybes(3000));
      expect(filter.has("stranger")).toBe("absent");
      await admin.flushall();
      await remote.rebuild(range(0, 100), AT_ONCE);
      await filter.pull();
      expect(filter.hasMany(range(0, 100))).toEqual(maybes(100));
    } finally {
      await filter.close();
    }
  });

  test("lines that were waiting for a layer that is gone get a layer of their own", async () => {
    const remote = await RedisFilter.create(port, "f", OPTIONS);
    let away = false;
    const flaky: RedisPort = {
      cluster: false,
      send: (key, command, timeout) =>
        away ? Promise.reject(new Error("away")) : otherPort.send(key, command, timeout),
    };
    const filter = await HybridFilter.open(await RedisFilter.open(flaky, "f"), {
      pullMs: 5,
      maxStaleMs: 60_000,
      ring: 8,
    });
    try {
      away = true;
      filter.addMany(range(0, 500));
      expect(filter.status.overflowed).toBe(true);
      await remote.rebuild(range(500, 600), { ...AT_ONCE, options: { capacity: 9000 } });
      away = false;
      await filter.pull();
      await filter.flush();
      expect(await remote.hasMany(range(0, 600))).toEqual(maybes(600));
      await filter.pull();
      expect(filter.hasMany(range(0, 600))).toEqual(maybes(600));
    } finally {
      await filter.close();
    }
  });
});
