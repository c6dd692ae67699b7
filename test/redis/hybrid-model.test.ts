// Random histories of several nodes over one Redis, against an exact set: a key whose add was acknowledged is never
// absent for a node that has pulled since.

import { fromIoredis, HybridFilter, RedisFilter, type RedisPort } from "bloomline/redis";
import fc from "fast-check";
import type { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ioredis, RedisServer } from "../support/redis.js";

const NODES = 3;
const OPTIONS = { capacity: 3000, errorRate: 0.01, shardBytes: 1024, logEntries: 5 };
const node = fc.nat(NODES - 1);
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant("add" as const), node, count: fc.integer({ min: 1, max: 60 }) }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("flush" as const), node }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("check" as const), node }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("cut" as const), node }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("trim" as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("grow" as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("recreate" as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("lose" as const) }) },
);

describe("HybridFilter against an exact set", () => {
  let server: RedisServer;
  let admin: Redis;
  let clients: Redis[];

  beforeAll(async () => {
    server = await RedisServer.start();
    admin = ioredis(server.port);
    clients = Array.from({ length: NODES }, () => ioredis(server.port));
  });
  afterAll(async () => {
    for (const client of [...clients, admin]) client.disconnect();
    await server.stop();
  });

  test("never absent", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
        await admin.flushall();
        const port = fromIoredis(admin);
        let main = await RedisFilter.create(port, "f", OPTIONS);
        const cut = new Set<number>();
        const nodes = await Promise.all(
          clients.map(async (client, i) => {
            const own = fromIoredis(client);
            const flaky: RedisPort = {
              cluster: false,
              send: (key, command) => (cut.has(i) ? Promise.reject(new Error("cut")) : own.send(key, command)),
            };
            const remote = await RedisFilter.open(flaky, "f");
            // Everything happens when the history says so, and at no other time.
            return HybridFilter.open(remote, { pullMs: 600_000, maxStaleMs: 700_000, ring: 32 });
          }),
        );
        let next = 0;
        const pending = nodes.map(() => new Set<number>());
        let acknowledged = new Set<number>();
        /** Sends what a node has, so that it is known to be in Redis; one that is cut off keeps it. */
        const deliver = async (i: number) => {
          if (cut.has(i)) return;
          await nodes[i]!.pull();
          await nodes[i]!.flush();
          for (const key of pending[i]!) acknowledged.add(key);
          pending[i]!.clear();
        };
        /** What Redis had is gone with the old filter; what still waits must reach the new one. */
        const recreate = async () => {
          await main.drop();
          main = await RedisFilter.create(port, "f", OPTIONS);
          acknowledged = new Set();
        };
        try {
          for (const each of steps) {
            if (each.do === "add") {
              for (let i = 0; i < each.count; i++) {
                nodes[each.node]!.add(next);
                pending[each.node]!.add(next++);
              }
            } else if (each.do === "flush") {
              await deliver(each.node);
            } else if (each.do === "check") {
              const filter = nodes[each.node]!;
              const pulled = await filter.pull().then(
                () => true,
                () => false,
              );
              // Its own keys at once, everybody's acknowledged keys after a pull.
              for (const key of pending[each.node]!) expect(filter.has(key)).toBe("maybe");
              if (!pulled) continue;
              expect([...acknowledged].filter((key) => filter.has(key) === "absent")).toEqual([]);
            } else if (each.do === "cut") {
              await deliver(each.node);
              if (!cut.delete(each.node)) cut.add(each.node);
            } else if (each.do === "trim") {
              for (const log of await admin.keys("*:log")) await admin.xtrim(log, "MAXLEN", 0);
            } else if (each.do === "grow") {
              await main.grow({ capacity: 3000 });
            } else if (each.do === "recreate") {
              for (const i of nodes.keys()) await deliver(i);
              await recreate();
            } else if (each.do === "lose") {
              for (const i of nodes.keys()) await deliver(i);
              const bits = (await admin.keys("*:bits")).sort();
              await admin.unlink(bits[0]!);
              for (const [i, filter] of nodes.entries()) {
                await filter.pull().catch(() => {});
                // One that is cut off has not heard of it, and is still as good as at its last pull.
                if (!cut.has(i)) expect(filter.has("a stranger")).toBe("unknown");
              }
              await recreate();
            }
          }
          // In the end everybody is back, and nothing that any node added is missing anywhere.
          cut.clear();
          for (const filter of nodes) await filter.pull();
          for (const filter of nodes) await filter.flush();
          for (const filter of nodes) await filter.pull();
          const all = [...acknowledged, ...pending.flatMap((keys) => [...keys])];
          for (const filter of nodes) expect(all.filter((key) => filter.has(key) !== "maybe")).toEqual([]);
        } finally {
          cut.clear();
          for (const filter of nodes) await filter.close({ timeoutMs: 1000 }).catch(() => {});
        }
      }),
      { numRuns: 40, seed: 20_260_101 },
    );
  });
});
