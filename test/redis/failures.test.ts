import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { BloomFilter } from "bloomline";
import { fromIoredis, fromNodeRedis, HybridFilter, RedisFilter, type RedisPort } from "bloomline/redis";
import { Cluster } from "ioredis";
import { describe, expect, test } from "vitest";
import { needs } from "../support/needs.js";
import { range } from "../support/random.js";
import { DURABLE, ioredis, nodeRedis, nodeRedisCluster, RedisServer, startCluster, until } from "../support/redis.js";

const OPTIONS = { capacity: 20_000, errorRate: 0.01 };
const maybes = (n: number) => Array(n).fill("maybe");

/** Adds 0..n from four processes that begin together. */
async function addFromFour(port: number, name: string, n: number, how: "atomic" | "read-modify-write"): Promise<void> {
  const program = fileURLToPath(new URL("adder.mjs", import.meta.url));
  const children = [0, 1, 2, 3].map((i) =>
    spawn(process.execPath, [program, String(port), name, String((n / 4) * i), String((n / 4) * (i + 1)), how], {
      stdio: ["pipe", "pipe", "inherit"],
    }),
  );
  await Promise.all(children.map((child) => once(child.stdout, "data")));
  for (const child of children) child.stdin.write("go\n");
  const codes = await Promise.all(children.map(async (child) => (await once(child, "exit"))[0]));
  expect(codes).toEqual([0, 0, 0, 0]);
}

describe("many writers", () => {
  test("four processes at once lose nothing; reading, changing and writing back does", async () => {
    const server = await RedisServer.start();
    const client = ioredis(server.port);
    try {
      const port = fromIoredis(client);
      const good = await RedisFilter.create(port, "good", OPTIONS);
      await addFromFour(server.port, "good", 8000, "atomic");
      const expected = BloomFilter.from(range(0, 8000), OPTIONS);
      expect((await good.snapshot()).equals(expected)).toBe(true);
      const bits = await client.getBuffer("{good:0.0}:bits");
      expect(new Uint8Array(bits!)).toEqual(expected.toBytes().slice(64));
      expect((await good.info()).count).toBe(expected.count);

      const bad = await RedisFilter.create(port, "bad", OPTIONS);
      await addFromFour(server.port, "bad", 8000, "read-modify-write");
      expect((await bad.hasMany(range(0, 8000))).filter((answer) => answer === "absent").length).toBeGreaterThan(0);
    } finally {
      client.disconnect();
      await server.stop();
    }
  });
});

describe("kill -9 of the server in the middle of writes", () => {
  /** Adds batch after batch until the server is killed; returns how many keys were acknowledged. */
  async function addUntilKilled(filter: RedisFilter, server: RedisServer): Promise<number> {
    let acknowledged = 0;
    const writing = (async () => {
      for (;;) {
        await filter.addMany(range(acknowledged, acknowledged + 50));
        acknowledged += 50;
      }
    })();
    writing.catch(() => {});
    await until(() => acknowledged >= 2000);
    await server.kill();
    await expect(writing).rejects.toMatchObject({ code: "ERR_REDIS" });
    return acknowledged;
  }

  test.skipIf(!needs.redisServer)("with an append-only file no acknowledged key is lost", async () => {
    const server = await RedisServer.start({ args: DURABLE });
    const client = await nodeRedis(server.url);
    try {
      const options = { ...OPTIONS, shardBytes: 4096, timeoutMs: 300 };
      const filter = await RedisFilter.create(fromNodeRedis(client), "f", options);
      const acknowledged = await addUntilKilled(filter, server);
      expect(new Set(await filter.hasMany(range(0, 100)))).toEqual(new Set(["unknown"]));
      await server.start();
      await until(async () => (await filter.has(1)) !== "unknown");
      expect(await filter.hasMany(range(0, acknowledged))).toEqual(maybes(acknowledged));
    } finally {
      client.destroy();
      await server.stop();
    }
  });

  test("without persistence every answer is unknown, and rebuild brings it back", async () => {
    const server = await RedisServer.start();
    const client = await nodeRedis(server.url);
    try {
      const filter = await RedisFilter.create(fromNodeRedis(client), "f", { ...OPTIONS, timeoutMs: 300 });
      await addUntilKilled(filter, server);
      await server.start();
      await until(async () => (await client.ping().catch(() => "")) === "PONG");
      expect(new Set(await filter.hasMany(range(0, 10_000)))).toEqual(new Set(["unknown"]));
      await filter.rebuild(range(0, 5000), { settleMs: 0 });
      expect(await filter.hasMany(range(0, 5000))).toEqual(maybes(5000));
      expect(await filter.has("stranger")).toBe("absent");
    } finally {
      client.destroy();
      await server.stop();
    }
  });
});

describe.skipIf(!needs.redisServer)("a cluster of three masters", () => {
  test("spreads the shards; one master down takes only its own along", async () => {
    const servers = await startCluster();
    const node = await nodeRedisCluster(servers);
    const io = new Cluster(
      servers.map(({ port }) => ({ port, host: "127.0.0.1" })),
      { clusterRetryStrategy: () => 50 },
    );
    io.on("error", () => {});
    try {
      const options = { ...OPTIONS, shardBytes: 1024 };
      const ports: RedisPort[] = [fromNodeRedis(node), fromIoredis(io)];
      expect(ports.map(({ cluster }) => cluster)).toEqual([true, true]);
      const [first, second] = [
        await RedisFilter.create(ports[0]!, "f", options),
        await RedisFilter.create(ports[1]!, "f", { ...options, timeoutMs: 500 }),
      ];
      await Promise.all([first.addMany(range(0, 2000)), second.addMany(range(2000, 4000))]);
      const expected = BloomFilter.from(range(0, 4000), OPTIONS);
      for (const filter of [first, second]) {
        expect(await filter.hasMany(range(0, 4000))).toEqual(maybes(4000));
        expect((await filter.snapshot()).equals(expected)).toBe(true);
      }
      for (const { port } of servers) {
        const admin = ioredis(port);
        expect(await admin.dbsize()).toBeGreaterThan(0);
        admin.disconnect();
      }

      await expect(HybridFilter.open(first, { blocking: true })).rejects.toThrow(TypeError);
      const copy = await HybridFilter.open(second, { pullMs: 20, maxStaleMs: 2000 });
      expect(copy.hasMany(range(0, 4000))).toEqual(maybes(4000));
      expect(copy.has("stranger")).toBe("absent");

      await servers[2]!.kill();
      // A copy is in step with all of it, or with nothing.
      await until(() => copy.has("stranger") === "unknown");
      expect(copy.hasMany(range(0, 4000))).toEqual(maybes(4000));
      await copy.close();
      const asked = range(0, 8000);
      const truth = Array.from(expected.hasMany(asked), (bit) => (bit ? "maybe" : "absent"));
      const answers = await second.hasMany(asked);
      const unknown = answers.filter((answer) => answer === "unknown").length;
      // A third of the shards, give or take: there are about 25 of them.
      expect(unknown / asked.length).toBeGreaterThan(0.1);
      expect(unknown / asked.length).toBeLessThan(0.7);
      answers.forEach((answer, i) => {
        if (answer !== "unknown") expect(answer).toBe(truth[i]);
      });
    } finally {
      node.destroy();
      io.disconnect();
      for (const server of servers) await server.stop();
    }
  });
});
