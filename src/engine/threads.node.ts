import { existsSync, readlinkSync } from "node:fs";
import { NAMELESS } from "./threads.js";

/** Linux names its threads in /proc, so that others can see whether they still run. Elsewhere a thread has no such name. */
export function threadName(): number {
  try {
    return Number(readlinkSync("/proc/thread-self").split("/").pop()) || NAMELESS;
  } catch {
    return NAMELESS;
  }
}

export function hasEnded(owner: number): boolean {
  return owner > 0 && !existsSync(`/proc/self/task/${owner}`);
}
