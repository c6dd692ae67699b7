import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc");

/**
 * Bytes in use after a full collection: the JavaScript heap, and the memories that live outside it. What an object
 * found dead by one collection held on to is found by the next, and its memory is gone after a turn of the event loop.
 */
export async function bytesInUse() {
  for (let i = 0; i < 4; i++) {
    collectGarbage();
    await setImmediate();
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
