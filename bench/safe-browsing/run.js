// What safe browsing must reach, in Node and in Chromium: node bench/safe-browsing/run.js [rounds]
// (npm ci --prefix bench first, for the rival.) Rounds are interleaved and the best of each counts: other work on the
// machine only ever takes away.
import { createHash } from "node:crypto";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { BloomFilter as Rival } from "bloomfilter";
import { build } from "esbuild";
import { chromium } from "playwright-core";
import { BloomFilter, FuseFilter, GolombSet } from "../../dist/index.js";
import { buildUrlList, UrlChecker } from "../../dist/safe-browsing/index.js";
import { find, programs } from "../../test/support/programs.mjs";
import { compare, listed, perSecond, urls } from "./tasks.js";

const ROUNDS = Number(process.argv[2] ?? 20);
const MILLION = 1_000_000;

let missed = 0;
function goal(name, reached, shown) {
  if (!reached) missed++;
  console.log(`${reached ? "PASS" : "MISS"}  ${name}: ${shown}`);
}

const lists = {};
for (const filter of [BloomFilter, FuseFilter, GolombSet]) {
  // 30 lookups at 1e-4 each.
  lists[filter.name] = await buildUrlList(listed(MILLION), { filter, errorRate: 1 - (1 - 1e-4) ** 30 });
}

const perSecondShown = (rate) => `${Math.round(rate).toLocaleString("en")} URLs/s`;
const mega = (bytes) => `${(bytes / 1e6).toFixed(3)} MB`;
const fuse = lists.FuseFilter.length;
const golomb = lists.GolombSet.length;
goal("1M entries, FuseFilter of 16 bits, at most 1.02 × 2.25 MB", fuse <= 1.02 * 2.25e6, mega(fuse));
goal("1M entries, GolombSet at 1e-4, smaller still", golomb < fuse, mega(golomb));
console.log(`      1M entries, BloomFilter at 1e-4: ${mega(lists.BloomFilter.length)}`);

const lengths = urls.map((url) => url.length);
console.log(`      URLs of ${Math.min(...lengths)} to ${Math.max(...lengths)} characters`);
for (const [name, bytes] of Object.entries(lists)) {
  const checker = await UrlChecker.load(bytes, { filters: [FuseFilter, GolombSet] });
  const rate = perSecond(checker, ROUNDS);
  goal(`Node, mayBeUnsafe with a ${name}, 100,000 URLs/s`, rate >= 1e5, perSecondShown(rate));
}

// The rival at the same rate: 20 bits a key and 14 positions come to 6.7e-5.
const rival = new Rival(20 * MILLION, 14);
const ours = new BloomFilter({ capacity: MILLION, errorRate: 1e-4 });
for (const entry of listed(MILLION)) {
  rival.add(`${entry}/`);
  ours.add(`${entry}/`);
}
const { inPlace, batch } = compare(ours, rival, ROUNDS);
goal("Node, expressions of a URL as UrlChecker probes them, 2 × bloomfilter", inPlace >= 2, `${inPlace.toFixed(2)} ×`);
goal("Node, the same as strings with hasMany, 2 × bloomfilter", batch >= 2, `${batch.toFixed(2)} ×`);

const executablePath = find(programs.chromium.names);
if (executablePath === undefined) {
  console.log(`MISS  Chromium is not installed (${programs.chromium.debian})`);
  process.exit(1);
}
const { outputFiles } = await build({
  entryPoints: [fileURLToPath(new URL("page.js", import.meta.url))],
  bundle: true,
  format: "esm",
  target: "es2022",
  write: false,
});
const files = new Map([
  ["/", ["text/html", '<!doctype html><title>bench</title><script type="module" src="/page.js"></script>']],
  ["/page.js", ["text/javascript", outputFiles[0].contents]],
  ...Object.entries(lists).map(([name, bytes]) => [`/${name}.urls`, ["application/octet-stream", bytes]]),
  ["/three-million.urls", ["application/octet-stream", await buildUrlList(listed(3 * MILLION))]],
]);
const server = createServer(({ url }, response) => {
  const [type, body] = files.get(new URL(url, "http://localhost").pathname) ?? [];
  if (body === undefined) return response.writeHead(404).end();
  const etag = `"${createHash("sha1").update(body).digest("hex")}"`;
  response.writeHead(200, {
    "Content-Type": type,
    "Content-Length": body.length,
    "Cache-Control": "no-store",
    ETag: etag,
  });
  response.end(body);
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
const page = await browser.newPage();
await page.goto(`http://127.0.0.1:${server.address().port}/`);
await page.waitForFunction(() => "bench" in globalThis);

for (const name of Object.keys(lists)) {
  const rate = await page.evaluate(([url, rounds]) => bench.perSecond(url, rounds), [`/${name}.urls`, ROUNDS]);
  goal(`Chromium, mayBeUnsafe with a ${name}, 100,000 URLs/s`, rate >= 1e5, perSecondShown(rate));
}
const { bare, checked, longest } = await page.evaluate((rounds) => bench.load("/three-million.urls", rounds), ROUNDS);
goal(
  `Chromium, fetch to first check of 3M entries (${mega(files.get("/three-million.urls")[1].length)}), 2 × bare fetch`,
  checked <= 2 * bare,
  `${(checked / bare).toFixed(2)} × (${checked.toFixed(1)} ms and ${bare.toFixed(1)} ms)`,
);
goal("Chromium, no long task over 50 ms in any of the loads", longest <= 50, longest > 0 ? `${longest} ms` : "none");
await browser.close();
server.close();
server.closeAllConnections();
if (missed > 0) process.exitCode = 1;
