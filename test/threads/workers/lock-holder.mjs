// A thread that takes the lock of a filter and never gives it back.
import { parentPort, workerData } from "node:worker_threads";
import { Lock } from "../../../dist/engine/lock.js";

new Lock(workerData.handle.memory.buffer).hold(() => {
  parentPort.postMessage("held");
  const never = new Int32Array(new SharedArrayBuffer(4));
  Atomics.wait(never, 0, 0);
});
