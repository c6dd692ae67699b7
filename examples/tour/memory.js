import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc");

/**
 * Bytes in use after a full collection: the JavaScript heap, and the memories that live outside it. The memory of an
 * object found dead by one collection is gone after the next turn of the event loop.
 */
export async function bytesInUse() {
  collectGarbage();
  await setImmediate();
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
