// The programs in examples/redis/, run as a reader would run them, on fewer keys.
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { RedisServer } from "../support/redis.js";

describe("examples/redis", () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await RedisServer.start();
  });
  afterAll(() => server.stop());

  async function output(name: string, ...args: number[]): Promise<string> {
    const path = fileURLToPath(new URL(`../../examples/redis/${name}`, import.meta.url));
    const env = { ...process.env, REDIS_URL: server.url };
    return (await promisify(execFile)(process.execPath, [path, ...args.map(String)], { env })).stdout;
  }
  const numberIn = (shown: string, pattern: RegExp) => Number(pattern.exec(shown)?.[1]);

  test("user-service.js: the guard stops the attack", async () => {
    const shown = await output("user-service.js", 4000, 4000);
    // 1 % of 4000, and six sigma.
    expect(numberIn(shown, /^stopped by the filter +([\d.]+) %$/m)).toBeGreaterThan(98);
    const guarded = numberIn(shown, /^queries with the guard +(\d+)$/m);
    const unguarded = numberIn(shown, /^queries without it +(\d+)$/m);
    expect(unguarded).toBeGreaterThan(4000);
    expect(guarded).toBeLessThan(unguarded / 5);
    expect(shown).toMatch(/p99 of honest requests +[\d.]+ ms in peace/);
  });

  test("crawler.js: no page twice", async () => {
    const shown = await output("crawler.js", 1000);
    expect(numberIn(shown, /^pages fetched +(\d+)/m)).toBeGreaterThan(990);
    expect(numberIn(shown, /^fetched twice +(\d+)$/m)).toBe(0);
  });

  test("log-dedup.js: two processes count each line once", async () => {
    const shown = await output("log-dedup.js", 5000);
    const fresh = numberIn(shown, /^together: (\d+) of 5000 distinct lines$/m);
    expect(fresh).toBeLessThanOrEqual(5000);
    expect(fresh).toBeGreaterThan(4980);
  });
});
