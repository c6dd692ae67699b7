import { fromIoredis, fromNodeRedis, RedisBloomFilter, type RedisPort } from "bloomline/redis";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { itemOf, RecordedRedisBloom, recorded } from "../support/recorded-redisbloom.js";
import { ioredis, nodeRedis } from "../support/redis.js";

const items = (n: number) => Array.from({ length: n }, (_, j) => itemOf(j));
const strangers = (n: number) => Array.from({ length: n }, (_, j) => `absent/${j}`);

describe("RedisBloomFilter on a recorded exchange", () => {
  let server: RecordedRedisBloom;
  const ports: Record<string, RedisPort> = {};
  const closing: (() => void)[] = [];

  beforeAll(async () => {
    server = await RecordedRedisBloom.start();
    const url = `redis://127.0.0.1:${server.port}`;
    const [resp2, resp3] = [await nodeRedis(url, 2), await nodeRedis(url, 3)];
    const io = ioredis(server.port, { protocol: 2 });
    const io3 = ioredis(server.port);
    const mapped = ioredis(server.port, { replyMapping: "resp3" });
    Object.assign(ports, {
      "redis, RESP2": fromNodeRedis(resp2),
      "redis, RESP3": fromNodeRedis(resp3),
      "ioredis, RESP2": fromIoredis(io),
      "ioredis, RESP3": fromIoredis(io3),
      "ioredis, maps": fromIoredis(mapped),
    });
    closing.push(
      () => resp2.destroy(),
      () => resp3.destroy(),
      ...[io, io3, mapped].map((client) => () => client.disconnect()),
    );
  });
  afterAll(() => {
    for (const close of closing) close();
    server.stop();
  });
  beforeEach(() => server.keys.clear());

  const any = () => ports["redis, RESP3"]!;
  const [scaling, expanding] = recorded.filters as [(typeof recorded.filters)[0], (typeof recorded.filters)[0]];

  for (const name of ["redis, RESP2", "redis, RESP3", "ioredis, RESP2", "ioredis, RESP3", "ioredis, maps"]) {
    test(`${name}: adds, answers and dumps as the module does`, async () => {
      for (const {
        error,
        capacity,
        expansion,
        items: n,
        alreadyPresentAtAdd,
        info,
        chunks,
        falsePositives,
      } of recorded.filters) {
        server.keys.clear();
        const options = { capacity, errorRate: error, ...(expansion ? { expansion } : {}) };
        const filter = await RedisBloomFilter.create(ports[name]!, "f", options);
        const added = await filter.addMany(items(n));
        expect(Array.from(added.keys()).filter((j) => !added[j])).toEqual(alreadyPresentAtAdd);
        expect(await filter.hasMany(items(n))).toEqual(Array(n).fill("maybe"));
        const answers = await filter.hasMany(strangers(20_000));
        expect(Array.from(answers.keys()).filter((j) => answers[j] === "maybe")).toEqual(falsePositives);
        expect(answers).not.toContain("unknown");
        expect(await filter.info()).toEqual({
          capacity: info[1],
          size: info[3],
          filters: info[5],
          items: info[7],
          expansion: info[9],
        });
        expect(await filter.card()).toBe(info[7]);
        const dumped: [number, string][] = [];
        for await (const [iterator, data] of filter.dump())
          dumped.push([iterator, Buffer.from(data).toString("base64")]);
        expect(dumped).toEqual(chunks);
      }
    });
  }

  test("one key at a time", async () => {
    const filter = await RedisBloomFilter.create(any(), "f", { capacity: 100 });
    expect(await filter.add(itemOf(0))).toBe(true);
    expect(await filter.add(itemOf(0))).toBe(false);
    expect(await filter.has(itemOf(0))).toBe("maybe");
  });

  test("batches are split, and nothing is ever made by adding", async () => {
    const filter = await RedisBloomFilter.create(any(), "f", { capacity: scaling.capacity });
    server.commands.length = 0;
    await filter.addMany(items(1200));
    expect(server.commands).toEqual(["BF.INSERT", "BF.INSERT", "BF.INSERT"]);
    server.keys.clear();
    await expect(filter.addMany(items(10))).rejects.toMatchObject({ code: "ERR_GONE" });
    expect(server.keys.size).toBe(0);
  });

  test("a missing filter is unknown, not absent", async () => {
    const filter = await RedisBloomFilter.create(any(), "f", { capacity: scaling.capacity });
    await filter.addMany(items(3000));
    server.keys.clear();
    expect(new Set(await filter.hasMany([...items(100), ...strangers(100)]))).toEqual(new Set(["unknown"]));
    await expect(RedisBloomFilter.open(any(), "f")).rejects.toMatchObject({ code: "ERR_GONE" });
  });

  test("a filter made anew is unknown until it is reopened", async () => {
    const filter = await RedisBloomFilter.create(any(), "f", { capacity: scaling.capacity });
    await filter.addMany(items(3000));
    await filter.drop();
    const anew = await RedisBloomFilter.create(any(), "f", { capacity: scaling.capacity });
    await anew.addMany(items(10));
    expect(await filter.hasMany(items(10))).toEqual(Array(10).fill("unknown"));
    await filter.reopen();
    expect(await filter.hasMany(items(10))).toEqual(Array(10).fill("maybe"));
  });

  test("one that does not scale says when it is full", async () => {
    const filter = await RedisBloomFilter.create(any(), "f", { capacity: scaling.capacity, nonScaling: true });
    const error = await filter.addMany(items(150)).catch((error: unknown) => error);
    expect(error).toMatchObject({ code: "ERR_FULL", message: expect.stringContaining("100 of 150") });
  });

  test("creating twice opens; other options are refused, both named", async () => {
    await RedisBloomFilter.create(any(), "f", { capacity: scaling.capacity });
    await RedisBloomFilter.create(any(), "f", { capacity: scaling.capacity });
    const options = { capacity: expanding.capacity, errorRate: expanding.error, expansion: 4 };
    const error = await RedisBloomFilter.create(any(), "f", options).catch((error: unknown) => error);
    expect(error).toMatchObject({ code: "ERR_INCOMPATIBLE", message: expect.stringMatching(/100.*64/) });
    await expect(RedisBloomFilter.create(any(), "g", { capacity: 0 })).rejects.toThrow(RangeError);
    await expect(RedisBloomFilter.create(any(), "g", { capacity: 10, errorRate: 1 })).rejects.toThrow(RangeError);
  });
});

describe.skipIf(!process.env.BLOOM_REDIS_URL)("RedisBloomFilter on the server in BLOOM_REDIS_URL", () => {
  test("answers as recorded", async () => {
    const client = await nodeRedis(process.env.BLOOM_REDIS_URL!);
    const name = `bloomline-test-${process.pid}`;
    try {
      for (const { error, capacity, expansion = 2, items: n, falsePositives } of recorded.filters) {
        const filter = await RedisBloomFilter.create(fromNodeRedis(client), name, {
          capacity,
          errorRate: error,
          expansion,
        });
        await filter.addMany(items(n));
        const answers = await filter.hasMany(strangers(20_000));
        expect(Array.from(answers.keys()).filter((j) => answers[j] === "maybe")).toEqual(falsePositives);
        await filter.drop();
        expect(await filter.has("x")).toBe("unknown");
      }
    } finally {
      client.destroy();
    }
  });
});
