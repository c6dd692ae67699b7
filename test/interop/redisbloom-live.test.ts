// A server with BF.* and CF.*, in both directions, on random filters: BLOOM_REDIS_URL=redis://127.0.0.1:6379 npm test

import { randomUUID } from "node:crypto";
import { type Chunk, RedisBloomDump, RedisCuckooDump } from "bloomline/interop";
import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { item } from "../support/interop.js";
import { numbers } from "../support/random.js";

const url = process.env.BLOOM_REDIS_URL;
const upTo = <T>(n: number, make: (i: number) => T) => Array.from({ length: n }, (_, i) => make(i));

describe.skipIf(!url)("with a RedisBloom server", () => {
  const prefix = `bloomline:${randomUUID()}:`;
  const used: string[] = [];
  let redis: Redis;

  beforeAll(() => {
    redis = new Redis(url!);
  });

  afterAll(async () => {
    if (!redis) return;
    if (used.length > 0) await redis.del(...used);
    await redis.quit();
  });

  function key(name: string): string {
    const full = prefix + name;
    used.push(full);
    return full;
  }

  async function* scanDump(command: "BF.SCANDUMP" | "CF.SCANDUMP", name: string): AsyncGenerator<Chunk> {
    for (let iterator = 0; ; ) {
      const [next, data] = (await redis.callBuffer(command, name, iterator)) as [number, Buffer];
      if (next === 0) return;
      yield [next, data];
      iterator = next;
    }
  }

  async function bytesOf(name: string): Promise<Uint8Array> {
    return (await RedisBloomDump.fromStream(scanDump("BF.SCANDUMP", name))).toBytes();
  }

  const next = numbers(77);
  const cases = upTo(12, (i) => ({
    capacity: 1 + (next() % (i % 3 === 0 ? 10 : 800)),
    errorRate: [0.2, 0.05, 0.01, 0.001, 1e-6][next() % 5]!,
    expansion: 1 + (next() % 4),
    n: 200 + (next() % 2000),
  }));

  it.each(cases)("agrees on $n items, capacity $capacity, error $errorRate, expansion $expansion", async (settings) => {
    const { capacity, errorRate, expansion, n } = settings;
    const name = key(randomUUID());
    await redis.call("BF.RESERVE", name, errorRate, capacity, "EXPANSION", expansion);
    const ours = RedisBloomDump.create({ capacity, errorRate, expansion });
    const items = upTo(n, item);
    const theirs = (await redis.call("BF.MADD", name, ...items)) as number[];
    expect(items.map((text) => Number(ours.add(text)))).toEqual(theirs);
    expect(ours.toBytes()).toEqual(await bytesOf(name));

    const asked = upTo(2000, (j) => `absent/${j}`);
    const answers = (await redis.call("BF.MEXISTS", name, ...asked)) as number[];
    expect([...ours.hasMany(asked)]).toEqual(answers);

    // Our bytes there; then both go on.
    const loaded = key(randomUUID());
    for (const [iterator, data] of ours.chunks()) await redis.call("BF.LOADCHUNK", loaded, iterator, data as Buffer);
    const more = upTo(500, (j) => `more/${j}`);
    const added = (await redis.call("BF.MADD", loaded, ...more)) as number[];
    expect(more.map((text) => Number(ours.add(text)))).toEqual(added);
    expect(await bytesOf(loaded)).toEqual(ours.toBytes());
  });

  it("reads its cuckoo filters", async () => {
    const name = key("cuckoo");
    await redis.call("CF.RESERVE", name, 500, "BUCKETSIZE", 2, "EXPANSION", 2);
    for (let j = 0; j < 1200; j++) await redis.call("CF.ADD", name, item(j));
    const dump = await RedisCuckooDump.fromStream(scanDump("CF.SCANDUMP", name));
    const asked = [...upTo(1200, item), ...upTo(2000, (j) => `absent/${j}`)];
    expect([...dump.hasMany(asked)]).toEqual(await redis.call("CF.MEXISTS", name, ...asked));
    for (const text of asked.slice(1150, 1250))
      expect(dump.countOf(text)).toBe(await redis.call("CF.COUNT", name, text));
  });
});
