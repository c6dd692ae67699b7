import { setImmediate } from "node:timers/promises";
import { bytesInUse } from "./memory.js";
import { urls } from "./urls.js";

/** Keys handled at a time, which is also the size of a batch. Between two chunks the event loop turns. */
const CHUNK = 1000;

/**
 * Leads one subject through every pass it has. `known` are the keys it is given, `unknown` as many others, each by the
 * number of the first. Making keys is not timed.
 */
export async function measure(subject, { keys, known, unknown }, { progress, signal }) {
  async function pass(label, work, first) {
    progress.step(`${subject.name}: ${label}`);
    let yes = 0;
    let time = 0;
    for (let done = 0; done < keys; done += CHUNK) {
      const chunk = urls(first + done, Math.min(CHUNK, keys - done));
      const start = performance.now();
      yes += work(chunk) ?? 0;
      time += performance.now() - start;
      progress.advance(chunk.length);
      await setImmediate(undefined, { signal });
    }
    return { yes, perSecond: (keys / time) * 1000 };
  }

  const before = await bytesInUse();
  const single = subject.create();
  const result = { name: subject.name, single: {}, batch: undefined };
  result.single.add = await pass("add", (chunk) => subject.add(single, chunk), known);
  result.memory = (await bytesInUse()) - before;
  result.single.known = await pass("look up known URLs", (chunk) => subject.has(single, chunk), known);
  result.single.unknown = await pass("look up unknown URLs", (chunk) => subject.has(single, chunk), unknown);
  if (subject.addMany) {
    const batch = subject.create();
    result.batch = {
      add: await pass("add in batches", (chunk) => subject.addMany(batch, chunk), known),
      known: await pass("look up known URLs in batches", (chunk) => subject.hasMany(batch, chunk), known),
      unknown: await pass("look up unknown URLs in batches", (chunk) => subject.hasMany(batch, chunk), unknown),
    };
  }
  return result;
}

/** How many keys all passes of a subject handle together. */
export function workOf(subject, keys) {
  return keys * (subject.addMany ? 6 : 3);
}
