// Attaches the filter that comes by `how`, adds "from the worker", and says whether it saw "from the parent".
import { parentPort, workerData } from "node:worker_threads";
import { BloomFilter } from "../../../dist/index.js";

function receive(handle) {
  const filter = BloomFilter.attach(handle);
  const seen = filter.has("from the parent");
  filter.add("from the worker");
  parentPort.postMessage(seen);
}

const { how } = workerData;
if (how === "workerData") {
  receive(workerData.handle);
} else if (how === "postMessage") {
  parentPort.once("message", receive);
} else if (how === "MessageChannel") {
  workerData.port.once("message", receive);
} else {
  const channel = new BroadcastChannel(workerData.name);
  channel.onmessage = ({ data }) => {
    channel.close();
    receive(data);
  };
  parentPort.postMessage("listening");
}
