// What is timed, in Node and in the page alike.
import { stretches } from "../../dist/safe-browsing/expressions.js";
import { expressions } from "../../dist/safe-browsing/index.js";
import { probe } from "../../dist/safe-browsing/probe.js";

export function* listed(count) {
  for (let i = 0; i < count; i++) yield `bad${(i * 2654435761) % 2 ** 32}.example`;
}

const paths = ["", "index.html", "a/page.html", "news/2026/11/story?id=", "shop/item?ref=mail&n=", "w/api/v1/users/"];
const hosts = ["example.com", "www.example.org", "cdn.static.example.net", "shop.example.co.uk"];

/** 20,000 URLs of 30 to 80 characters, as browsers write them; none is listed. */
export const urls = Array.from({ length: 20_000 }, (_, i) => {
  const path = paths[i % paths.length];
  const host = `site${i}.${hosts[i % hosts.length]}`;
  return `https://${host}/${path}${/[=/]$/.test(path) ? i : ""}`.padEnd(30, "x");
});

/** The best time of `run` in so many rounds, in seconds. */
function best(rounds, ...runs) {
  const times = runs.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < rounds; round++) {
    for (const [i, run] of runs.entries()) {
      const start = performance.now();
      run();
      times[i] = Math.min(times[i], (performance.now() - start) / 1000);
    }
  }
  return times;
}

/** URLs a second: canonicalize, expand and probe. */
export function perSecond(checker, rounds) {
  let found = 0;
  const [seconds] = best(rounds, () => {
    for (const url of urls) if (checker.mayBeUnsafe(url)) found++;
  });
  if (found > urls.length * rounds * 0.01) throw new Error(`${found} found, and none is listed`);
  return urls.length / seconds;
}

/** How many times as fast as the rival ready-made expressions are probed, URL by URL: by UrlChecker, and by hasMany. */
export function compare(ours, rival, rounds) {
  // Flat strings, as from a parser: those that expressions() slices would make the first to read them pay for it.
  const ready = JSON.parse(JSON.stringify(urls.map((url) => expressions(url))));
  const parts = urls.map((url) => stretches(url, {}));
  const out = new Uint8Array(30);
  let found = 0;
  const [inPlace, batch, theirs] = best(
    rounds,
    () => {
      for (const url of parts) found += probe(ours, url).length;
    },
    () => {
      for (const all of ready) {
        ours.hasMany(all, out);
        for (let i = 0; i < all.length; i++) found += out[i];
      }
    },
    () => {
      for (const all of ready) for (const expression of all) if (rival.test(expression)) found++;
    },
  );
  if (found > ready.length * rounds * 0.1) throw new Error(`${found} found, and none is listed`);
  return { inPlace: theirs / inPlace, batch: theirs / batch };
}
