// A list that changes while it is asked: node examples/hot-reload.js [reloads]
//
// A writer builds each new edition in a filter of its own, out of sight, and publishes it when it is whole. Readers ask on
// all the while. They swap between two questions, by a message: no lock, no pause, and no moment at which a key that is in
// both editions is missing. A filter that nobody holds any more is garbage.
import { once } from "node:events";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { BloomFilter } from "bloomline";

const KEYS = 50_000;
/** Edition n lists keys n · 1000 and up: each drops a thousand and brings a thousand new ones. */
const keysOf = (edition) => Uint32Array.from({ length: KEYS }, (_, i) => edition * 1000 + i);

async function main() {
  const reloads = Number(process.argv[2] ?? 20);
  const start = (role, data) => new Worker(new URL(import.meta.url), { workerData: { role, ...data } });
  const writer = start("writer", { reloads });
  const [first] = await once(writer, "message");
  const readers = [1, 2].map(() => start("reader", first));
  await Promise.all(readers.map((reader) => once(reader, "message")));

  const reports = Promise.all(readers.map((reader) => once(reader, "message")));
  writer.on("message", (edition) => {
    for (const reader of readers) reader.postMessage(edition);
  });
  writer.postMessage("go on");
  await once(writer, "exit");
  for (const reader of readers) reader.postMessage("stop");

  for (const [{ asked, swaps, wrong }] of await reports) {
    console.log(`reader: ${swaps} reloads while asking, wrong "no": ${wrong}`);
    if (asked === 0) throw new Error("A reader asked nothing.");
  }
}

function write({ reloads }) {
  const publish = (edition) => {
    const filter = BloomFilter.from(keysOf(edition), { errorRate: 0.001, shared: true });
    parentPort.postMessage({ edition, handle: filter.share() });
  };
  publish(0);
  parentPort.once("message", () => {
    for (let edition = 1; edition <= reloads; edition++) publish(edition);
  });
}

function read({ edition, handle }) {
  let keys = keysOf(edition);
  let filter = BloomFilter.attach(handle, { readonly: true });
  let asked = 0;
  let swaps = 0;
  let wrong = 0;
  let next = 0;
  let stopped = false;

  parentPort.on("message", (message) => {
    if (message === "stop") {
      stopped = true;
      return;
    }
    // From the next question on; whoever still holds the old filter may go on with it.
    filter = BloomFilter.attach(message.handle, { readonly: true });
    keys = keysOf(message.edition);
    swaps++;
  });

  const askOn = () => {
    for (let i = 0; i < 1000; i++) {
      if (!filter.has(keys[next++ % KEYS])) wrong++;
    }
    asked += 1000;
    if (!stopped) {
      setImmediate(askOn);
      return;
    }
    parentPort.postMessage({ asked, swaps, wrong });
    parentPort.close();
  };
  parentPort.postMessage("reading");
  askOn();
}

if (isMainThread) await main();
else if (workerData.role === "writer") write(workerData);
else read(workerData);
