// What the tests find in a page, or in a worker: the package itself, bundled.
import { BloomFilter, FuseFilter, GolombSet } from "bloomline";
import * as safeBrowsing from "bloomline/safe-browsing";
import { confirmWith } from "../../examples/confirm-server/confirm.js";

Object.assign(globalThis, { bloomline: { BloomFilter, FuseFilter, GolombSet, ...safeBrowsing, confirmWith } });

// In a worker: checks one URL against the list at another.
if (typeof document === "undefined") {
  addEventListener("message", async ({ data: { list, url } }) => {
    const checker = await safeBrowsing.UrlChecker.load(list);
    postMessage([checker.engine, checker.mayBeUnsafe(url)]);
  });
}
