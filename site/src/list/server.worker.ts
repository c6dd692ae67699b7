// What the owner of the list does, away from the page: builds the file, and says which hashes are listed.

import { buildUrlList, fullHash } from "bloomline/safe-browsing";
import type { Answer, Question } from "./server.js";
import { ENTRIES, entry } from "./urls.js";

const AT_ONCE = 1000;

function* entries(from = 0, to = ENTRIES): Generator<string, void> {
  for (let i = from; i < to; i++) yield entry(i);
}

const hex = (bytes: Uint8Array) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** The listed hashes, by the first 4 bytes of each. */
async function hashesByPrefix(): Promise<Map<string, Uint8Array[]>> {
  const index = new Map<string, Uint8Array[]>();
  for (let from = 0; from < ENTRIES; from += AT_ONCE) {
    for (const hash of await Promise.all(Array.from(entries(from, from + AT_ONCE), fullHash))) {
      const prefix = hex(hash.subarray(0, 4));
      index.set(prefix, [...(index.get(prefix) ?? []), hash]);
    }
  }
  return index;
}

let index: Promise<Map<string, Uint8Array[]>> | undefined;

async function confirm(prefixes: readonly Uint8Array[]): Promise<Uint8Array[]> {
  index ??= hashesByPrefix();
  const known = await index;
  return prefixes.flatMap((prefix) => known.get(hex(prefix)) ?? []);
}

addEventListener("message", async ({ data, ports: [port] }: MessageEvent<Question>) => {
  const answer = (given: Answer) => port!.postMessage(given);
  try {
    if ("confirm" in data) return answer({ done: await confirm(data.confirm) });
    const { errorRate } = data;
    const onProgress = ({ done }: { done: number }) => answer({ progress: done / ENTRIES });
    // The rate is that of one lookup, so that the panel's figures can be followed.
    const done = await buildUrlList(entries(), { errorRate, expressionsPerUrl: 1, onProgress, source: "made up" });
    answer({ done });
  } catch (error) {
    answer({ failed: (error as Error).message });
  }
});
