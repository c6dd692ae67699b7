import type { Keys } from "../keys/batch.js";
import type { Key } from "../keys/key.js";
import type { Answer } from "./answer.js";
import type { Progress } from "./layer-calls.js";

/** What a pull found. "moved": what there is to copy has changed, and copying it took a sync. */
export type Pulled = "step" | "synced";

/** A local copy of a filter in Redis, whatever its kind; HybridFilter keeps it in step. */
export interface Replica {
  /** Changes it has taken in. */
  readonly version: number;
  /** Keys that wait to be sent, of how many places. */
  readonly waiting: number;
  readonly places: number;
  /** Whether lines are remembered because there was no place. */
  readonly overflowed: boolean;
  /** Of the filter in Redis: 1 is its capacity. */
  readonly fill: number;
  /** The largest Redis key it has, in bytes. */
  readonly largestKey: number;
  has(key: Key): boolean;
  hasMany(keys: Keys): Uint8Array;
  add(key: Key): boolean;
  addMany(keys: Keys): number;
  /** Asks Redis itself. */
  ask(keys: Keys): Promise<Answer[]>;
  /** Copies everything, and is patient with a connection that breaks. */
  sync(onProgress?: (progress: Progress) => void): Promise<void>;
  /** Takes in what is new. Calls `behind` before anything that must be copied anew. */
  pull(behind: () => void): Promise<Pulled>;
  /** Waits until there may be news, at most so long. */
  wait?(ms: number): Promise<void>;
  /** Sends what waits, a batch. False: nothing waits. */
  drain(): Promise<boolean>;
  close(): void;
}
