import { fromIoredis, HybridFilter, RedisFilter, type RedisPort, StreamDedup } from "bloomline/redis";
import type { Redis } from "ioredis";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ioredis, RedisServer } from "../support/redis.js";

const OPTIONS = { capacity: 10_000, errorRate: 0.0001 };

describe("StreamDedup", () => {
  let server: RedisServer;
  let client: Redis;
  let port: RedisPort;

  beforeAll(async () => {
    server = await RedisServer.start();
    client = ioredis(server.port);
    port = fromIoredis(client);
  });
  afterAll(async () => {
    client.disconnect();
    await server.stop();
  });
  beforeEach(() => client.flushall());

  const urls = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, i) => `https://example.com/${from + i}`);

  test("two nodes at once pass each item on once", async () => {
    const nodes = await Promise.all(
      [0, 1].map(async () => new StreamDedup<string>(await RedisFilter.create(port, "seen", OPTIONS), { batch: 50 })),
    );
    const passed: string[] = [];
    await Promise.all(
      nodes.map(async (node) => {
        for await (const url of node.stream([...urls(0, 1000), ...urls(0, 500)])) passed.push(url);
      }),
    );
    expect(new Set(passed).size).toBe(passed.length);
    expect(passed.length).toBeGreaterThan(995);
    const [a, b] = nodes.map(({ counts }) => counts);
    expect(a!.fresh + b!.fresh).toBe(passed.length);
    for (const { items, fresh, repeatedHere, repeatedElsewhere, unknown } of [a!, b!]) {
      expect(fresh + repeatedHere + repeatedElsewhere + unknown).toBe(items);
    }
  });

  test("what the local copy has costs no round trip", async () => {
    let sent = 0;
    const counting: RedisPort = {
      cluster: false,
      send: (key, command, timeout) => {
        sent++;
        return port.send(key, command, timeout);
      },
    };
    await (await RedisFilter.create(port, "seen", OPTIONS)).addMany(urls(0, 100));
    const local = await HybridFilter.open(await RedisFilter.open(port, "seen"), {
      pullMs: 600_000,
      maxStaleMs: 700_000,
    });
    const dedup = new StreamDedup(await RedisFilter.open(counting, "seen"), { local });
    sent = 0;
    expect(await dedup.fresh(urls(0, 100))).toEqual([]);
    expect(sent).toBe(0);
    expect(await dedup.fresh(urls(50, 150))).toEqual(urls(100, 150));
    expect(dedup.counts).toEqual({ items: 200, fresh: 50, repeatedHere: 150, repeatedElsewhere: 0, unknown: 0 });
    await local.close();
  });

  test("items with a key of their own, and windows", async () => {
    const remote = await RedisFilter.create(port, "seen", OPTIONS);
    const dedup = new StreamDedup<{ id: number }>(remote, { keyOf: ({ id }) => id });
    const items = [{ id: 1 }, { id: 2 }, { id: 1 }];
    expect(await dedup.fresh(items)).toEqual([{ id: 1 }, { id: 2 }]);
    await remote.rotate({ graceMs: 1 });
    expect(await dedup.fresh([{ id: 1 }, { id: 3 }])).toEqual([{ id: 3 }]);
    await remote.rotate({ graceMs: 1 });
    await remote.rotate({ graceMs: 1 });
    expect(await dedup.fresh([{ id: 2 }])).toEqual([{ id: 2 }]);
  });

  test("unknown throws; or passes, or holds back, where that is asked for", async () => {
    const remote = await RedisFilter.create(port, "seen", OPTIONS);
    await client.flushall();
    await expect(new StreamDedup(remote).fresh(["a"])).rejects.toMatchObject({ code: "ERR_UNKNOWN" });
    expect(await new StreamDedup(remote, { onUnknown: "pass" }).fresh(["a"])).toEqual(["a"]);
    const holding = new StreamDedup(remote, { onUnknown: "hold" });
    expect(await holding.fresh(["a"])).toEqual([]);
    expect(holding.counts.unknown).toBe(1);
  });
});
