// The hybrid over RedisBloom: against what was recorded of a real module, and over a filter that changes. For the latter the
// module's part is played by RedisBloomDump, whose every bit the tests of interop compare with the module's.

import { RedisBloomDump } from "bloomline/interop";
import { fromNodeRedis, HybridFilter, RedisBloomFilter, type RedisPort, type Reply } from "bloomline/redis";
import { describe, expect, test } from "vitest";
import { itemOf, RecordedRedisBloom, recorded } from "../support/recorded-redisbloom.js";
import { nodeRedis } from "../support/redis.js";

const items = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => itemOf(from + i));
const strangers = (n: number) => Array.from({ length: n }, (_, j) => `absent/${j}`);
const BY_HAND = { pullMs: 600_000, maxStaleMs: 700_000 };

/** One filter behind the module's commands. */
class Module {
  filter: RedisBloomDump | undefined;
  away = false;
  dumps = 0;

  readonly port: RedisPort = {
    cluster: false,
    send: async (_key, [command, , ...args]) => {
      if (this.away) throw new Error("away");
      return this.reply(String(command), args.map(String));
    },
  };

  private reply(command: string, args: string[]): Reply {
    if (command === "BF.RESERVE") {
      this.filter = RedisBloomDump.create({ capacity: Number(args[1]), errorRate: Number(args[0]) });
      return "OK";
    }
    const { filter } = this;
    if (!filter) throw new Error("ERR not found");
    if (command === "BF.INSERT") return args.slice(2).map((item) => Number(filter.add(item)));
    if (command === "BF.MEXISTS") return args.map((item) => Number(filter.has(item)));
    if (command === "BF.INFO") {
      const numbers = ["Number of items inserted", filter.count, "Number of filters", 1, "Expansion rate", 2];
      return ["Capacity", filter.capacity, "Size", 1000, ...numbers];
    }
    if (command !== "BF.SCANDUMP") throw new Error(`ERR unknown command '${command}'`);
    const chunks = [...filter.chunks()];
    if (args[0] === "0") this.dumps++;
    const at = args[0] === "0" ? 0 : chunks.findIndex(([iterator]) => String(iterator) === args[0]) + 1;
    const [iterator, data] = chunks[at] ?? [0, new Uint8Array()];
    return [iterator, Uint8Array.from(data)];
  }
}

describe("HybridFilter over RedisBloomFilter", () => {
  test("answers as the module does, to the last false positive", async () => {
    const server = await RecordedRedisBloom.start();
    const client = await nodeRedis(`redis://127.0.0.1:${server.port}`);
    try {
      for (const { error, capacity, expansion = 2, items: n, falsePositives } of recorded.filters) {
        server.keys.clear();
        const options = { capacity, errorRate: error, expansion };
        const remote = await RedisBloomFilter.create(fromNodeRedis(client), "f", options);
        await remote.addMany(items(0, n));
        const filter = await HybridFilter.open(remote, BY_HAND);
        expect(filter.hasMany(items(0, n))).toEqual(Array(n).fill("maybe"));
        const answers = filter.hasMany(strangers(20_000));
        expect(Array.from(answers.keys()).filter((j) => answers[j] === "maybe")).toEqual(falsePositives);
        expect(answers).not.toContain("unknown");
        await filter.close();
      }
    } finally {
      client.destroy();
      server.stop();
    }
  });

  test("own adds need no dump; those of others need one", async () => {
    const module = new Module();
    const remote = await RedisBloomFilter.create(module.port, "f", { capacity: 1000 });
    const filter = await HybridFilter.open(remote, BY_HAND);
    filter.addMany(items(0, 1500));
    filter.add(5);
    await filter.flush();
    await filter.pull();
    expect(module.dumps).toBe(1);
    expect(filter.status).toMatchObject({ inStep: true, fullSyncs: 1 });
    expect(module.filter!.has("5")).toBe(true);

    const other = await RedisBloomFilter.open(module.port, "f");
    await other.addMany(items(1500, 2000));
    await filter.pull();
    expect(module.dumps).toBe(2);
    expect(filter.status).toMatchObject({ inStep: true, fullSyncs: 2 });
    expect(filter.hasMany([...items(0, 2000), ...strangers(3000)])).toEqual(
      await other.hasMany([...items(0, 2000), ...strangers(3000)]),
    );
    await filter.close();
  });

  test("as many items, but not the same: copied anew", async () => {
    const module = new Module();
    const remote = await RedisBloomFilter.create(module.port, "f", { capacity: 100, errorRate: 0.3 });
    await remote.addMany(items(0, 50));
    const filter = await HybridFilter.open(remote, BY_HAND);
    // A key of somebody else, with which one of ours will not be new there.
    const absent = (key: string) => !module.filter!.has(key);
    const theirs = strangers(100).find(absent)!;
    const withTheirs = RedisBloomDump.fromChunks(module.filter!.chunks());
    withTheirs.add(theirs);
    const ours = strangers(5000).find((key) => key !== theirs && absent(key) && withTheirs.has(key))!;
    expect(ours).toBeDefined();
    await remote.add(theirs);
    filter.add(ours);
    await filter.flush();
    expect(filter.status.version).toBe(module.filter!.count);
    await filter.pull();
    expect(filter.has(theirs)).toBe("maybe");
    expect(filter.status).toMatchObject({ inStep: true, fullSyncs: 2 });
    await filter.close();
  });

  test("a missing filter is unknown; made anew, it is copied anew", async () => {
    const module = new Module();
    const remote = await RedisBloomFilter.create(module.port, "f", { capacity: 1000 });
    await remote.addMany(items(0, 100));
    const filter = await HybridFilter.open(remote, BY_HAND);
    module.filter = undefined;
    await expect(filter.pull()).rejects.toMatchObject({ code: "ERR_GONE" });
    module.filter = RedisBloomDump.create({ capacity: 1000 });
    module.filter.addMany(items(100, 110));
    await filter.pull();
    expect(filter.hasMany([itemOf(0), itemOf(105)])).toEqual(["absent", "maybe"]);
    await filter.close();
  });

  test("adds wait while Redis is away, as many as there are places", async () => {
    const module = new Module();
    const remote = await RedisBloomFilter.create(module.port, "f", { capacity: 1000 });
    const filter = await HybridFilter.open(remote, { ...BY_HAND, ring: 64 });
    module.away = true;
    filter.addMany(items(0, 60));
    expect(() => filter.addMany(items(60, 70))).toThrowError(expect.objectContaining({ code: "ERR_FULL" }));
    expect(filter.has(itemOf(59))).toBe("maybe");
    module.away = false;
    await filter.flush();
    expect(items(0, 60).every((item) => module.filter!.has(item))).toBe(true);
    await filter.close();
  });

  test("what only a RedisFilter can do is refused", async () => {
    const remote = await RedisBloomFilter.create(new Module().port, "f", { capacity: 1000 });
    await expect(HybridFilter.open(remote, { blocking: true })).rejects.toThrow(TypeError);
    await expect(HybridFilter.open(remote, { shared: true })).rejects.toThrow(TypeError);
  });
});
