// A user service under attack: random ids, none of which exist, each of which would cost a database query.
// Prints how many queries reach PostgreSQL with and without the guard, and what honest users notice of it.
//
//   node examples/redis/user-service.js [users] [attacks]
import { randomInt } from "node:crypto";
import { setImmediate as breathe } from "node:timers/promises";
import { PGlite } from "@electric-sql/pglite";
import { CacheGuard, lruCache } from "bloomline/guard";
import { fromNodeRedis, HybridFilter, RedisFilter } from "bloomline/redis";
import { LRUCache } from "lru-cache";
import { connect } from "./connect.js";

const [users = 20_000, attacks = 20_000] = process.argv.slice(2).map(Number);
/** Attacks that arrive while one honest request is served. */
const PER_REQUEST = 10;

const database = await PGlite.create();
await database.exec("CREATE TABLE users (id bigint PRIMARY KEY, name text NOT NULL)");
await database.query("INSERT INTO users SELECT i * 7, 'user ' || i FROM generate_series(1, $1::int) AS i", [users]);

let queries = 0;
async function load(id) {
  queries++;
  const { rows } = await database.query("SELECT name FROM users WHERE id = $1", [id]);
  return rows[0];
}

const client = await connect();
const remote = await RedisFilter.create(fromNodeRedis(client), `users-${process.pid}`, {
  capacity: users,
  errorRate: 0.01,
});
const filter = await HybridFilter.open(remote);
const cacheOf = () => lruCache(new LRUCache({ max: users / 10 }));
const guard = new CacheGuard({ filter, cache: cacheOf(), load, cold: true });
const { rows } = await database.query("SELECT id FROM users");
await guard.warmUp(rows.map(({ id }) => id));

/** Ids that no user has. */
const stranger = () => randomInt(1, 2 ** 40) * 7 + 1;

/** Serves honest requests, with so many attacks beside each; returns the 99th percentile in milliseconds. */
async function serve(get, requests, beside) {
  const times = [];
  for (let i = 0; i < requests; i++) {
    const attack = Promise.all(Array.from({ length: beside }, () => get(stranger())));
    const began = performance.now();
    if (!(await get(randomInt(1, users + 1) * 7))) throw new Error("an honest user was turned away");
    times.push(performance.now() - began);
    await attack;
    await breathe();
  }
  return times.sort((a, b) => a - b)[Math.floor(times.length * 0.99)];
}

const requests = Math.ceil(attacks / PER_REQUEST);
await serve((id) => guard.get(id), requests, 0);
const quiet = await serve((id) => guard.get(id), requests, 0);
const before = { ...guard.metrics, queries };
const attacked = await serve((id) => guard.get(id), requests, PER_REQUEST);
const { stopped } = guard.metrics;
const total = requests * PER_REQUEST;
const share = ((stopped - before.stopped) / total) * 100;

const plain = cacheOf();
let plainQueries = -queries;
const unguarded = async (id) => {
  const cached = await plain.get(id);
  if (cached) return cached.value;
  const value = (await load(id)) ?? null;
  await plain.set(id, value, 60_000);
  return value;
};
const guarded = queries - before.queries;
const overrun = await serve(unguarded, requests, PER_REQUEST);
plainQueries += queries;

console.log(`${users} users, ${total} requests for ids that do not exist, ${requests} honest requests beside them`);
console.log(`stopped by the filter     ${share.toFixed(2)} %`);
console.log(`queries with the guard    ${guarded}`);
console.log(`queries without it        ${plainQueries}`);
console.log(`p99 of honest requests    ${quiet.toFixed(2)} ms in peace`);
console.log(
  `                          ${attacked.toFixed(2)} ms under attack, guarded (${(attacked / quiet).toFixed(2)} ×)`,
);
console.log(
  `                          ${overrun.toFixed(2)} ms under attack, unguarded (${(overrun / quiet).toFixed(2)} ×)`,
);

await filter.close();
await remote.drop();
client.destroy();
await database.close();
