// The part of the bench that runs in a page.
import { FuseFilter, GolombSet } from "../../dist/index.js";
import { UrlChecker } from "../../dist/safe-browsing/index.js";
import { perSecond } from "./tasks.js";

/** The longest of the tasks over 50 ms that ran at any time between two moments, 0 if there was none. */
function longestTask(entries, from, to) {
  const within = entries.filter(({ startTime, duration }) => startTime + duration > from && startTime < to);
  return Math.max(0, ...within.map(({ duration }) => duration));
}

globalThis.bench = {
  async perSecond(url, rounds) {
    return perSecond(await UrlChecker.load(url, { store: false, filters: [FuseFilter, GolombSet] }), rounds);
  },

  /** The best times of a bare fetch, and of a load up to its first answer; and the longest task in any load. */
  async load(url, rounds) {
    const tasks = [];
    new PerformanceObserver((list) => tasks.push(...list.getEntries())).observe({ type: "longtask" });
    let bare = Number.POSITIVE_INFINITY;
    let checked = Number.POSITIVE_INFINITY;
    const loads = [];
    for (let round = 0; round < rounds; round++) {
      let start = performance.now();
      await (await fetch(url)).arrayBuffer();
      bare = Math.min(bare, performance.now() - start);
      // The task in which the bare fetch ended is not one of the load's.
      await new Promise((resolve) => setTimeout(resolve));
      start = performance.now();
      // Kept as by default: writing it to Cache Storage goes on while the first checks are made.
      const checker = await UrlChecker.load(url);
      checker.mayBeUnsafe("https://www.example.com/");
      const end = performance.now();
      checked = Math.min(checked, end - start);
      loads.push([start, end]);
      await checker.stored;
      checker.dispose();
      await caches.delete("bloomline");
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
    return { bare, checked, longest: Math.max(...loads.map(([from, to]) => longestTask(tasks, from, to))) };
  },
};
