import { setTimeout as sleep } from "node:timers/promises";
import { BloomlineError } from "../errors.js";

const PATIENCE_MS = 5000;
const PAUSE_MS = 50;

/** Repeats for a while what failed for want of a connection; it must be something that may be done twice. */
export async function retrying<T>(work: () => Promise<T>): Promise<T> {
  const until = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof BloomlineError) || error.code !== "ERR_REDIS" || performance.now() > until) throw error;
      await sleep(PAUSE_MS);
    }
  }
}
