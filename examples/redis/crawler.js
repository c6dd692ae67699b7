// A crawler's frontier: several crawlers share one filter in Redis, so that no page is fetched twice, whoever finds the
// link. The web here is made up, but every page really links to others.
//
//   node examples/redis/crawler.js [pages]
import { fromNodeRedis, HybridFilter, RedisFilter, StreamDedup } from "bloomline/redis";
import { connect } from "./connect.js";

const pages = Number(process.argv[2] ?? 5000);
const CRAWLERS = 3;

/** Every page links to eight others; following them all reaches every page. */
function linksOf(url) {
  const page = Number(url.split("/").at(-1));
  return Array.from({ length: 8 }, (_, i) => `https://example.com/${(page * 3 + i * i * 17 + 1) % pages}`);
}

const client = await connect();
const name = `frontier-${process.pid}`;
const remote = await RedisFilter.create(fromNodeRedis(client), name, { capacity: pages, errorRate: 0.0001 });

const fetched = [];
const frontier = await new StreamDedup(remote).fresh(["https://example.com/0"]);

const crawlers = await Promise.all(
  Array.from({ length: CRAWLERS }, async () => {
    const own = await RedisFilter.open(fromNodeRedis(client), name);
    const local = await HybridFilter.open(own, { pullMs: 20, maxStaleMs: 1000 });
    return { local, dedup: new StreamDedup(own, { local }) };
  }),
);

while (frontier.length > 0) {
  const shares = crawlers.map((_, i) => frontier.filter((_, j) => j % CRAWLERS === i));
  frontier.length = 0;
  await Promise.all(
    crawlers.map(async ({ dedup }, i) => {
      fetched.push(...shares[i]);
      frontier.push(...(await dedup.fresh(shares[i].flatMap(linksOf))));
    }),
  );
}

const sum = (field) => crawlers.reduce((total, { dedup }) => total + dedup.counts[field], 0);
console.log(`pages fetched        ${fetched.length} of ${pages}`);
console.log(`fetched twice        ${fetched.length - new Set(fetched).size}`);
console.log(`links found          ${sum("items")}`);
console.log(`known to the crawler ${sum("repeatedHere")}`);
console.log(`known to another     ${sum("repeatedElsewhere")}`);

await Promise.all(crawlers.map(({ local }) => local.close()));
await remote.drop();
client.destroy();
