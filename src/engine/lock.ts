import { hasEnded, threadName } from "#threads";
import { BloomlineError } from "../errors.js";
import { LOCK_AT } from "./layout.js";

/** How often to look before asking whether the other thread still runs, and before giving up: about a second. */
const PATIENCE = 10_000;
const LIMIT = 2_000 * PATIENCE;

/** Lets one thread at a time do something to a shared filter that takes well under a microsecond. */
export class Lock {
  readonly #owner: Int32Array;
  #me = 0;

  constructor(buffer: ArrayBufferLike) {
    this.#owner = new Int32Array(buffer, LOCK_AT, 1);
  }

  hold<T>(action: () => T): T {
    this.#take();
    try {
      return action();
    } finally {
      Atomics.store(this.#owner, 0, 0);
    }
  }

  #take(): void {
    this.#me ||= threadName();
    for (let tries = 1; tries <= LIMIT; tries++) {
      const owner = Atomics.compareExchange(this.#owner, 0, 0, this.#me);
      if (owner === 0) return;
      const isFree = tries % PATIENCE === 0 && hasEnded(owner);
      if (isFree && Atomics.compareExchange(this.#owner, 0, owner, this.#me) === owner) return;
    }
    throw new BloomlineError(
      "ERR_LOCKED",
      "Another thread does not get done with this filter; it was probably terminated. Make a new one from toBytes().",
    );
  }
}
