// Two processes read logs that overlap, because the shipper delivers some lines twice and to both. Each line is counted
// once.
//
//   node examples/redis/log-dedup.js [lines]
import { fork } from "node:child_process";
import { once } from "node:events";
import { fromNodeRedis, RedisFilter, StreamDedup } from "bloomline/redis";
import { connect } from "./connect.js";

/** Line i as it stands in the log. */
const line = (i) => `2026-01-01T00:00:${String(i % 60).padStart(2, "0")}Z request ${i} took ${(i * 37) % 900} ms`;

/** What a process is sent: its own half, a third of the other's, and every tenth line again. */
function* delivery(lines, process) {
  for (let i = 0; i < lines; i++) {
    if (i % 2 === process || i % 3 === 0) yield line(i);
    if (i % 10 === 0) yield line(i);
  }
}

const client = await connect();
if (process.send) {
  const [name, lines, number] = process.argv.slice(2);
  const dedup = new StreamDedup(await RedisFilter.open(fromNodeRedis(client), name));
  for await (const _ of dedup.stream(delivery(Number(lines), Number(number)))) {
    // Here a line would be stored; it is new.
  }
  process.send(dedup.counts);
  process.disconnect();
} else {
  const lines = Number(process.argv[2] ?? 50_000);
  const name = `log-${process.pid}`;
  const remote = await RedisFilter.create(fromNodeRedis(client), name, { capacity: lines, errorRate: 0.0001 });
  const counts = await Promise.all(
    [0, 1].map(async (number) => (await once(fork(process.argv[1], [name, lines, number]), "message"))[0]),
  );
  for (const [i, { items, fresh, repeatedHere, repeatedElsewhere }] of counts.entries()) {
    console.log(`process ${i}: ${items} lines in, ${fresh} new, ${repeatedHere + repeatedElsewhere} repeated`);
  }
  const fresh = counts.reduce((sum, count) => sum + count.fresh, 0);
  console.log(`together: ${fresh} of ${lines} distinct lines`);
  await remote.drop();
}
client.destroy();
