// A page whose two workers fill one filter, each with half of the keys, and then find all of them in it.
import { BloomFilter } from "bloomline";

const report = document.querySelector("#report");

/** Asks a worker and waits for its answer. */
function ask(worker, question) {
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = (event) => reject(new Error(event.message));
    worker.postMessage(question);
  });
}

async function demonstrate() {
  const filter = new BloomFilter({ capacity: 40_000, errorRate: 1e-6, shared: true });
  const workers = [0, 1].map(() => new Worker(new URL("./worker.js", import.meta.url), { type: "module" }));
  const handle = filter.share();
  await Promise.all(workers.map((worker, half) => ask(worker, { handle, add: half })));
  const found = await Promise.all(workers.map((worker) => ask(worker, { find: true })));
  for (const worker of workers) worker.terminate();
  return `two workers added ${filter.count.toLocaleString("en")} keys; each finds ${found.join(" and ")} of 40000`;
}

try {
  report.textContent = await demonstrate();
} catch (error) {
  // Without isolation there is no sharing, and the message says which headers are missing. A local filter works anyway.
  const filter = BloomFilter.from(["alice", "bob"]);
  report.textContent = `${error.code}: ${error.message}\nlocal: ${filter.hasMany(["alice", "mallory"])} on ${filter.engine}`;
}
