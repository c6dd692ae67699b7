import { BloomFilter } from "bloomline";
import { fromIoredis, fromNodeRedis, RedisFilter, type RedisPort } from "bloomline/redis";
import type { Redis } from "ioredis";
import { createClientPool } from "redis";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { range } from "../support/random.js";
import { ioredis, nodeRedis, RedisServer } from "../support/redis.js";

const OPTIONS = { capacity: 20_000, errorRate: 0.01, seed: 7 };
/** Small shards, so that every test has several. */
const SHARDED = { ...OPTIONS, shardBytes: 4096 };

const strings = (from: number, to: number) => Array.from(range(from, to), (i) => `ключ-${i}`);

describe("RedisFilter", () => {
  let server: RedisServer;
  let admin: Redis;
  const ports: Record<string, RedisPort> = {};
  const closing: (() => void)[] = [];

  beforeAll(async () => {
    server = await RedisServer.start();
    admin = ioredis(server.port);
    const resp3 = await nodeRedis(server.url, 3);
    const resp2 = await nodeRedis(server.url, 2);
    const io2 = ioredis(server.port, { protocol: 2 });
    const io3 = ioredis(server.port, { protocol: 3, replyMapping: "resp3" });
    const pool = createClientPool({ url: server.url });
    await pool.connect();
    const prefixed = ioredis(server.port, { keyPrefix: "app:", enableAutoPipelining: true, stringNumbers: true });
    Object.assign(ports, {
      "redis, RESP3": fromNodeRedis(resp3),
      "redis, RESP2": fromNodeRedis(resp2),
      "redis, other types": fromNodeRedis(resp3.withTypeMapping({ 36: String, 58: String })),
      "redis, a pool": fromNodeRedis(pool),
      "ioredis, RESP2": fromIoredis(io2),
      "ioredis, RESP3": fromIoredis(io3),
      "ioredis, a prefix and pipelines": fromIoredis(prefixed),
    });
    closing.push(
      () => pool.destroy(),
      ...[resp2, resp3].map((client) => () => client.destroy()),
      ...[io2, io3, prefixed, admin].map((client) => () => client.disconnect()),
    );
  });
  afterAll(async () => {
    for (const close of closing) close();
    await server?.stop();
  });
  beforeEach(() => admin.flushall());

  const any = () => ports["redis, RESP3"]!;

  for (const name of [
    "redis, RESP3",
    "redis, RESP2",
    "redis, other types",
    "redis, a pool",
    "ioredis, RESP2",
    "ioredis, RESP3",
    "ioredis, a prefix and pipelines",
  ]) {
    test(`${name}: answers and bytes of a local filter`, async () => {
      const remote = await RedisFilter.create(ports[name]!, "users", SHARDED);
      const local = new BloomFilter(OPTIONS);
      const keys = [...strings(0, 3000), 5, 5n, 2n ** 63n, Uint8Array.of(1, 2, 255), "", "x".repeat(200_000)];
      const expected = keys.map((key) => Number(local.add(key)));
      expect(Array.from(await remote.addMany(keys))).toEqual(expected);
      expect(Array.from(await remote.addMany(keys))).toEqual(keys.map(() => 0));

      const asked = [...keys, ...strings(10_000, 20_000)];
      expect(await remote.hasMany(asked)).toEqual(
        Array.from(local.hasMany(asked), (bit) => (bit ? "maybe" : "absent")),
      );
      expect(await remote.has("ключ-1")).toBe("maybe");
      expect(await remote.add("one more")).toBe(local.add("one more"));

      const copy = await remote.snapshot();
      expect(copy.toBytes()).toEqual(local.toBytes());
      const info = await remote.info();
      expect(info.layers[0]!.shards).toBe(Math.ceil(local.byteLength / 4096));
      expect(info.count).toBe(local.count);
      expect(info.fill).toBeCloseTo(local.count / OPTIONS.capacity, 3);
    });
  }

  test("keys as numbers, typed arrays and packed bytes", async () => {
    const remote = await RedisFilter.create(any(), "ints", SHARDED);
    const local = new BloomFilter(OPTIONS);
    const batches = [
      range(0, 2000),
      BigUint64Array.of(2n ** 64n - 1n),
      Float64Array.of(-5, 2 ** 40),
      new Set(["a", 1]),
    ];
    for (const keys of batches) {
      await remote.addMany(keys);
      local.addMany(keys);
    }
    const packed = { bytes: Uint8Array.of(1, 2, 3, 4), offsets: Uint32Array.of(0, 1, 4) };
    await remote.addMany(packed);
    local.addMany(packed);
    expect((await remote.snapshot()).equals(local)).toBe(true);
    await expect(remote.addMany("one key" as never)).rejects.toThrow(TypeError);
    await expect(remote.addMany(["good", 1.5])).rejects.toThrow(RangeError);
    expect(await remote.has("good")).toBe("absent");
  });

  test("a batch is one command a shard", async () => {
    const sent: string[] = [];
    const counting: RedisPort = {
      cluster: false,
      send: (key, command, timeout) => {
        sent.push(String(command[0]));
        return any().send(key, command, timeout);
      },
    };
    const one = await RedisFilter.create(counting, "one", OPTIONS);
    await one.addMany(["scripts are known after this"]);
    await one.hasMany(["and this"]);
    sent.length = 0;
    await one.addMany(range(0, 500));
    await one.hasMany(range(0, 500));
    expect(sent).toEqual(["EVALSHA", "EVALSHA"]);
  });

  test("of a large batch, only so much is under way at a time", async () => {
    let underWay = 0;
    let most = 0;
    const counting: RedisPort = {
      cluster: false,
      send: async (key, command, timeout) => {
        most = Math.max(most, ++underWay);
        return any()
          .send(key, command, timeout)
          .finally(() => underWay--);
      },
    };
    const remote = await RedisFilter.create(counting, "large", { capacity: 200_000 });
    const keys = range(0, 100_000);
    expect((await remote.addMany(keys)).length).toBe(100_000);
    expect(await remote.hasMany(keys)).toEqual(Array(100_000).fill("maybe"));
    // 8192 keys, 512 a command.
    expect(most).toBe(16);
    expect([await remote.addMany([]), await remote.hasMany([])]).toEqual([new Uint8Array(0), []]);
  });

  test("SCRIPT FLUSH in the middle", async () => {
    const remote = await RedisFilter.create(any(), "users", SHARDED);
    await remote.addMany(strings(0, 100));
    await admin.script("FLUSH");
    await remote.addMany(strings(100, 200));
    await admin.script("FLUSH");
    expect(await remote.hasMany(strings(0, 200))).toEqual(Array(200).fill("maybe"));
  });

  describe("what is lost is unknown, never absent", () => {
    const stored = strings(0, 500);
    const asked = [...stored, ...strings(5000, 6000)];
    const loss: Record<string, (keys: string[]) => Promise<unknown>> = {
      "every bits key": (keys) => admin.unlink(...keys.filter((key) => key.endsWith(":bits"))),
      "every meta key": (keys) => admin.unlink(...keys.filter((key) => key.endsWith(":meta"))),
      "every key": () => admin.flushall(),
      "bits cut short": async (keys) => {
        for (const key of keys.filter((key) => key.endsWith(":bits"))) await admin.set(key, "short");
      },
      "bits that grew": async (keys) => {
        for (const key of keys.filter((key) => key.endsWith(":bits"))) await admin.append(key, "x");
      },
      "bits under another name": async (keys) => {
        for (const key of keys.filter((key) => key.endsWith(":bits"))) await admin.rename(key, `${key}.old`);
      },
      "bits of a wrong type": async (keys) => {
        for (const key of keys.filter((key) => key.endsWith(":bits")))
          await admin.multi().del(key).lpush(key, "x").exec();
      },
      "meta of a wrong type": async (keys) => {
        for (const key of keys.filter((key) => key.endsWith(":meta"))) await admin.set(key, "x");
      },
      "another epoch": async () => {
        const other = await RedisFilter.open(any(), "users");
        await other.drop();
        await RedisFilter.create(any(), "users", SHARDED);
      },
    };
    for (const [what, lose] of Object.entries(loss)) {
      test(what, async () => {
        const remote = await RedisFilter.create(any(), "users", SHARDED);
        await remote.addMany(stored);
        await lose(await admin.keys("*"));
        expect(new Set(await remote.hasMany(asked))).toEqual(new Set(["unknown"]));
        await expect(remote.addMany(["more"])).rejects.toMatchObject({ code: /ERR_GONE|ERR_REDIS/ });
      });
    }

    for (const reply of [
      "LOADING Redis is loading the dataset in memory",
      "READONLY You can't write against a read only replica.",
      "MOVED 3999 127.0.0.1:6381",
      "CLUSTERDOWN Hash slot not served",
      "BUSY Redis is busy running a script.",
      "ERR user_script:9: attempt to index a nil value",
      "Connection is closed.",
    ]) {
      test(reply.split(" ", 1)[0]!, async () => {
        let failing = false;
        const port: RedisPort = {
          cluster: false,
          send: (key, command, timeout) =>
            failing ? Promise.reject(new Error(reply)) : any().send(key, command, timeout),
        };
        const remote = await RedisFilter.create(port, "users", SHARDED);
        await remote.addMany(stored);
        failing = true;
        expect(new Set(await remote.hasMany(asked))).toEqual(new Set(["unknown"]));
        await expect(remote.addMany(["more"])).rejects.toMatchObject({ code: "ERR_REDIS" });
        failing = false;
        expect(await remote.hasMany(stored)).toEqual(stored.map(() => "maybe"));
      });
    }

    test("lines that are cut short on the way", async () => {
      const port: RedisPort = {
        cluster: false,
        send: async (key, command, timeout) => {
          const reply = await any().send(key, command, timeout);
          const lines = Array.isArray(reply) && reply.length === 1 && reply[0];
          return lines instanceof Uint8Array ? [lines.subarray(0, -1)] : reply;
        },
      };
      await (await RedisFilter.create(any(), "users", SHARDED)).addMany(stored);
      const remote = await RedisFilter.open(port, "users");
      expect(new Set(await remote.hasMany(asked))).toEqual(new Set(["unknown"]));
    });

    test("one shard of many takes only its own keys along", async () => {
      const remote = await RedisFilter.create(any(), "users", SHARDED);
      const local = new BloomFilter(OPTIONS);
      await remote.addMany(stored);
      local.addMany(stored);
      const shards = (await admin.keys("*:bits")).length;
      await admin.unlink("{users:0.2}:bits");
      const answers = await remote.hasMany(asked);
      const truth = Array.from(local.hasMany(asked), (bit) => (bit ? "maybe" : "absent"));
      const unknown = answers.filter((answer) => answer === "unknown").length;
      expect(unknown / asked.length).toBeGreaterThan(0.3 / shards);
      expect(unknown / asked.length).toBeLessThan(3 / shards);
      answers.forEach((answer, i) => {
        if (answer !== "unknown") expect(answer).toBe(truth[i]);
      });
    });

    test("made anew: unknown until it is reopened", async () => {
      const remote = await RedisFilter.create(any(), "users", SHARDED);
      await remote.addMany(stored);
      await remote.drop();
      expect(await admin.keys("*")).toEqual([]);
      await expect(remote.reopen()).rejects.toMatchObject({ code: "ERR_GONE" });
      await expect(remote.info()).rejects.toMatchObject({ code: "ERR_GONE" });
      const anew = await RedisFilter.create(any(), "users", SHARDED);
      await anew.add("new");
      expect(await remote.hasMany(["new", "ключ-1"])).toEqual(["unknown", "unknown"]);
      await remote.reopen();
      expect(await remote.hasMany(["new", "ключ-1"])).toEqual(["maybe", "absent"]);
    });
  });

  describe("create and open", () => {
    test("creating twice opens; eight at once make one filter", async () => {
      const all = await Promise.all(Array.from({ length: 8 }, () => RedisFilter.create(any(), "users", SHARDED)));
      expect(new Set(all.map(({ epoch }) => epoch)).size).toBe(1);
      await Promise.all(all.map((filter, i) => filter.addMany(strings(i * 100, (i + 1) * 100))));
      expect(await all[0]!.hasMany(strings(0, 800))).toEqual(Array(800).fill("maybe"));
    });

    test("one that was never finished is made by the next", async () => {
      const first = await RedisFilter.create(any(), "users", SHARDED);
      await admin.hset("{users}:layout", "number", "0");
      const second = await RedisFilter.create(any(), "users", { ...SHARDED, timeoutMs: 50 });
      expect(second.epoch).not.toBe(first.epoch);
      expect(await first.has("x")).toBe("unknown");
      expect(await second.has("x")).toBe("absent");
    });

    test("other parameters are refused, both named", async () => {
      const { lines, hashes } = new BloomFilter(OPTIONS);
      await RedisFilter.create(any(), "users", OPTIONS);
      for (const [given, words] of [
        [{ ...OPTIONS, seed: 8 }, ["seed 7", "seed 8"]],
        [{ ...OPTIONS, errorRate: 0.001 }, [`hashes ${hashes}`, "hashes 9"]],
        [
          { ...OPTIONS, capacity: 30_000 },
          [`lines ${lines}`, `lines ${new BloomFilter({ ...OPTIONS, capacity: 30_000 }).lines}`],
        ],
      ] as const) {
        for (const tried of [RedisFilter.open(any(), "users", given), RedisFilter.create(any(), "users", given)]) {
          const error = await tried.catch((error: unknown) => error);
          expect(error).toMatchObject({ code: "ERR_INCOMPATIBLE" });
          for (const word of words) expect((error as Error).message).toContain(word);
        }
      }
      expect(await (await RedisFilter.open(any(), "users", OPTIONS)).has("x")).toBe("absent");
    });

    test("bad arguments", async () => {
      await expect(RedisFilter.open(any(), "nobody")).rejects.toMatchObject({ code: "ERR_GONE" });
      await expect(RedisFilter.open(any(), "a{b}")).rejects.toThrow(TypeError);
      await expect(RedisFilter.create(any(), "x", { ...OPTIONS, shardBytes: 100 })).rejects.toThrow(RangeError);
      await expect(RedisFilter.create(any(), "x", { ...OPTIONS, shardBytes: 2 ** 30 })).rejects.toThrow(RangeError);
      await expect(RedisFilter.create(any(), "x", { ...OPTIONS, logEntries: 0 })).rejects.toThrow(RangeError);
      for (const name of ["", "a{b", 5, null]) {
        await expect(RedisFilter.create(any(), name as string, OPTIONS)).rejects.toThrow(
          "it must be a string without {",
        );
      }
      for (const wrong of [{}, undefined, admin]) expect(() => fromNodeRedis(wrong)).toThrow(TypeError);
      for (const wrong of [{}, undefined]) expect(() => fromIoredis(wrong)).toThrow(TypeError);
    });

    test("any name that is no hash tag", async () => {
      for (const name of ["with space", "ключ 🎉", "a:b*?[c]", "x".repeat(5000)]) {
        const remote = await RedisFilter.create(any(), name, SHARDED);
        await remote.add("x");
        expect(await (await RedisFilter.open(any(), name)).hasMany(["x", "y"])).toEqual(["maybe", "absent"]);
        await remote.drop();
        await remote.drop();
        expect(await remote.has("x")).toBe("unknown");
      }
      expect(await admin.dbsize()).toBe(0);
    });
  });

  test("set bits are counted once, whether keys or lines bring them, and full words stay whole", async () => {
    const remote = await RedisFilter.create(any(), "f", SHARDED);
    const local = new BloomFilter(OPTIONS);
    // Five times what it is made for: most words of a line have many bits, the highest too.
    for (const key of strings(0, 100_000)) local.add(key);
    await remote.addMany(strings(90_000, 101_000));
    await remote.push(local);
    expect((await remote.addMany(strings(0, 1000))).some((changed) => changed === 1)).toBe(false);
    await remote.addMany(strings(101_000, 103_000));
    for (const key of strings(100_000, 103_000)) local.add(key);
    expect((await remote.snapshot()).toBytes()).toEqual(local.toBytes());
    for (const bits of await admin.keys("*:bits")) {
      const ones = await admin.hget(bits.replace(/:bits$/, ":meta"), "ones");
      expect(Number(ones)).toBe(await admin.bitcount(bits));
    }
  });

  describe("push", () => {
    test("ORs: what either has, both have", async () => {
      const remote = await RedisFilter.create(any(), "users", SHARDED);
      const local = new BloomFilter({ ...OPTIONS, shared: true });
      await remote.addMany(strings(0, 1000));
      local.addMany(strings(500, 5000));
      await remote.push(local);
      local.addMany(strings(0, 1000));
      const copy = await remote.snapshot({ shared: true });
      expect(copy.equals(local)).toBe(true);
      expect((await remote.info()).count).toBe(local.count);
    });

    test("another geometry is refused, both named", async () => {
      const remote = await RedisFilter.create(any(), "users", SHARDED);
      const error = await remote.push(new BloomFilter({ ...OPTIONS, seed: 9 })).catch((error: unknown) => error);
      expect(error).toMatchObject({ code: "ERR_INCOMPATIBLE", message: expect.stringMatching(/seed 7.*seed 9/) });
    });
  });

  test("a filter beyond what one Redis string can hold", async () => {
    const big = { capacity: 480_000_000, errorRate: 0.01, shardBytes: 64 * 2 ** 20 };
    // Redis allocates zeros lazily; only touched pages count.
    const remote = await RedisFilter.create(any(), "big", { ...big, timeoutMs: 20_000 });
    const info = await remote.info();
    expect(info.layers[0]!.byteLength).toBeGreaterThan(512 * 2 ** 20);
    await remote.addMany(range(0, 2000));
    expect(await remote.hasMany(range(0, 2000))).toEqual(Array(2000).fill("maybe"));
    expect(new Set(await remote.hasMany(range(10_000, 12_000)))).toEqual(new Set(["absent"]));
    await remote.drop();
    expect(await admin.dbsize()).toBe(0);
  });
});
