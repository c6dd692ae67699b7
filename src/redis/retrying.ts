import { setTimeout as sleep } from "node:timers/promises";
import { BloomlineError } from "../errors.js";

const TRIES = 20;
const PAUSE_MS = 50;

/** Repeats what failed for want of a connection; it must be something that may be done twice. */
export async function retrying<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof BloomlineError) || error.code !== "ERR_REDIS" || tries === TRIES) throw error;
      await sleep(PAUSE_MS);
    }
  }
}
