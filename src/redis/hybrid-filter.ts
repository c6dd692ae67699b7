import { EventEmitter } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { BloomlineError, mustBe } from "../errors.js";
import type { Keys } from "../keys/batch.js";
import type { Key } from "../keys/key.js";
import type { Answer } from "./answer.js";
import { DumpReplica } from "./dump-replica.js";
import { type HybridHandle, handleOf } from "./hybrid-handle.js";
import type { Progress } from "./layer-calls.js";
import { SHARD_BYTES } from "./layout.js";
import { LineReplica } from "./line-replica.js";
import type { RedisBloomFilter } from "./redis-bloom-filter.js";
import { RedisFilter } from "./redis-filter.js";
import type { Replica } from "./replica.js";
import { retrying } from "./retrying.js";
import { clock, Standing } from "./standing.js";

/** At this share of the capacity there is a warning. */
const WARN_AT = 0.7;

export interface HybridOptions {
  /** How often to fetch what is new; 100 unless given. */
  readonly pullMs?: number;
  /** How old a copy may be and still say "absent"; 1000 unless given. */
  readonly maxStaleMs?: number;
  /** What `ask` does while the copy is behind: ask Redis, or leave it unknown. "remote" unless given. */
  readonly behind?: "remote" | "unknown";
  /** Wait for news on a connection of its own instead of on a timer. */
  readonly blocking?: boolean;
  /** Keys that may wait for Redis, a power of two; beyond, lines are remembered. 65,536 unless given. */
  readonly ring?: number;
  /** Lay the copy in memory that worker threads can attach. */
  readonly shared?: boolean;
  readonly onProgress?: (progress: Progress) => void;
}

export interface HybridStatus {
  readonly inStep: boolean;
  /** Changes the copy has taken in. */
  readonly version: number;
  /** Milliseconds since it was last known to be in step. */
  readonly lagMs: number;
  /** Keys that wait for Redis, as a share of the ring. */
  readonly ringFill: number;
  /** Whether the ring was full and lines are remembered instead. */
  readonly overflowed: boolean;
  readonly fullSyncs: number;
  readonly pulls: number;
  readonly unknownAnswers: number;
  readonly errors: number;
  readonly lastError: unknown;
  /** Of the filter in Redis: 1 is its capacity. */
  readonly fill: number;
}

interface Events {
  /** The copy is in step again, or no longer. */
  step: [];
  behind: [];
  /** All of it, or what a gap or a new layout left open, was copied. */
  sync: [];
  /** Worker threads must attach anew. */
  layout: [HybridHandle];
  warning: [message: string];
  /** Redis did not do what it was asked; it is asked again. */
  failure: [error: unknown];
}

/**
 * A filter in Redis with a local copy that answers. While the copy is in step, "absent" is as definite as the filter in
 * Redis was `maxStaleMs` ago at most; "maybe" is always allowed. Adds are here at once and in Redis soon.
 */
export class HybridFilter extends EventEmitter<Events> {
  readonly #replica: Replica;
  readonly #standing = new Standing();
  readonly #options: Required<Omit<HybridOptions, "onProgress">>;
  readonly #closing = new AbortController();
  #staleTimer: NodeJS.Timeout | undefined;
  #pulling: Promise<void> | undefined;
  #draining: Promise<void> | undefined;
  #lastStep = Number.NEGATIVE_INFINITY;
  readonly #warned: boolean[] = [];
  #counts = { fullSyncs: 0, pulls: 0, unknownAnswers: 0, errors: 0 };
  #lastError: unknown;

  private constructor(replica: Replica, options: Required<Omit<HybridOptions, "onProgress">>) {
    super();
    this.#replica = replica;
    this.#options = options;
  }

  /** Copies the filter and keeps the copy in step until `close`. */
  static async open(
    remote: RedisFilter | RedisBloomFilter,
    { onProgress, ...given }: HybridOptions = {},
  ): Promise<HybridFilter> {
    const options = {
      pullMs: 100,
      maxStaleMs: 1000,
      behind: "remote" as const,
      blocking: false,
      ring: 65_536,
      shared: false,
      ...given,
    };
    const { pullMs, maxStaleMs, ring, behind, blocking } = options;
    if (!(pullMs > 0)) throw mustBe("pullMs", pullMs, "more than 0");
    if (!(maxStaleMs > pullMs)) throw mustBe("maxStaleMs", maxStaleMs, `more than pullMs, which is ${pullMs}`);
    if (!Number.isSafeInteger(ring) || ring < 1 || ring & (ring - 1)) throw mustBe("ring", ring, "a power of two");
    if (behind !== "remote" && behind !== "unknown") throw mustBe("behind", behind, '"remote" or "unknown"');
    const own = remote instanceof RedisFilter;
    if (blocking && !(own && remote.layers.connection.port.connect)) {
      throw new TypeError("blocking needs a RedisFilter on a single server; otherwise leave it out and set pullMs.");
    }
    if (options.shared && !own) {
      throw new TypeError("shared needs a RedisFilter; the copy of a RedisBloomFilter cannot be shared.");
    }
    const replica = own ? new LineReplica(remote, options) : new DumpReplica(remote, options.ring);
    const filter = new HybridFilter(replica, options);
    await filter.#begin(onProgress);
    return filter;
  }

  async #begin(onProgress?: (progress: Progress) => void): Promise<void> {
    await this.#replica.sync(onProgress);
    this.#counts.fullSyncs++;
    await retrying(() => this.#pull());
    this.#pulling = this.#run();
  }

  /** Could the key be there? Synchronous: "unknown" is said of a key that is not in the copy while that is behind. */
  has(key: Key): Answer {
    if (this.#replica.has(key)) return "maybe";
    if (this.#standing.about) return "absent";
    this.#counts.unknownAnswers++;
    return "unknown";
  }

  hasMany(keys: Keys): Answer[] {
    const no = this.#standing.now ? "absent" : "unknown";
    return Array.from(this.#replica.hasMany(keys), (bit) => {
      if (bit) return "maybe";
      if (no === "unknown") this.#counts.unknownAnswers++;
      return no;
    });
  }

  /** As `has`, but asks Redis where the copy cannot tell, if the option `behind` is "remote". */
  async ask(key: Key): Promise<Answer> {
    const answer = this.has(key);
    if (answer !== "unknown" || this.#options.behind === "unknown") return answer;
    return (await this.#replica.ask([key]))[0]!;
  }

  /** Here at once; Redis has it after `flush`. True: the copy did not have it. */
  add(key: Key): boolean {
    this.#standing.checkOpen();
    const changed = this.#replica.add(key);
    this.#drainSoon();
    return changed;
  }

  /** How many the copy did not have. */
  addMany(keys: Keys): number {
    this.#standing.checkOpen();
    const changed = this.#replica.addMany(keys);
    this.#drainSoon();
    return changed;
  }

  /** Returns when Redis has acknowledged everything that was added before. Rejects after `timeoutMs`, if given. */
  async flush({ timeoutMs = Number.POSITIVE_INFINITY }: { timeoutMs?: number } = {}): Promise<void> {
    const until = clock() + timeoutMs;
    while (this.#replica.waiting > 0 || this.#replica.overflowed || this.#draining) {
      const { errors } = this.#counts;
      await (this.#draining ?? this.#drain());
      if (this.#counts.errors === errors) continue;
      if (clock() > until) {
        throw new BloomlineError(
          "ERR_REDIS",
          `Redis has not acknowledged ${this.#replica.waiting} keys within ${timeoutMs} ms. They wait; flush again later.`,
          { cause: this.#lastError },
        );
      }
      await sleep(Math.min(this.#options.pullMs, 50));
    }
  }

  /**
   * Flushes and lets go: what is not in the copy is unknown from then on. Rejects where Redis has not acknowledged everything
   * within `timeoutMs`; it may be closed again, as long as the process lives.
   */
  async close({ timeoutMs = 5000 }: { timeoutMs?: number } = {}): Promise<void> {
    this.#standing.close();
    try {
      await this.flush({ timeoutMs });
    } finally {
      this.#closing.abort();
      this.#replica.close();
      await this.#pulling;
      this.#behind();
      clearTimeout(this.#staleTimer);
    }
  }

  get status(): HybridStatus {
    const { version, waiting, places, overflowed, fill } = this.#replica;
    return {
      ...this.#counts,
      inStep: this.#standing.now,
      version,
      lagMs: clock() - this.#lastStep,
      ringFill: waiting / places,
      overflowed,
      lastError: this.#lastError,
      fill,
    };
  }

  /** What a worker thread needs to read and add through this very copy; needs { shared: true }. */
  share(): HybridHandle {
    return handleOf(this.#replica, this.#standing);
  }

  /** Fetches what is new, now. */
  async pull(): Promise<void> {
    // One that is under way may have read before what the caller means.
    await this.#pullingOnce?.catch(() => {});
    await this.#pullOnce();
    this.#warn();
  }

  #pullingOnce: Promise<void> | undefined;

  /** One at a time: a pull and a sync must not overlap. */
  #pullOnce(): Promise<void> {
    this.#pullingOnce ??= this.#pull().finally(() => {
      this.#pullingOnce = undefined;
    });
    return this.#pullingOnce;
  }

  async #pull(): Promise<void> {
    const began = clock();
    const found = await this.#replica.pull(() => this.#behind());
    this.#counts.pulls++;
    if (found === "synced") {
      this.#counts.fullSyncs++;
      this.emit("sync");
      if (this.#options.shared) this.emit("layout", this.share());
      // What was written while the copy was made is in the log.
      return this.#pull();
    }
    this.#inStep(began);
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      try {
        await this.pull();
      } catch (error) {
        this.#failed(error);
      }
      this.#drainSoon();
      if (!signal.aborted) await this.#pause(signal);
    }
  }

  async #pause(signal: AbortSignal): Promise<void> {
    const { blocking, pullMs, maxStaleMs } = this.#options;
    try {
      if (blocking && this.#standing.now) await this.#replica.wait?.(Math.max(1, Math.floor(maxStaleMs / 3)));
      else await sleep(pullMs, undefined, { signal, ref: false });
    } catch (error) {
      if (signal.aborted) return;
      this.#failed(error);
      await sleep(pullMs);
    }
  }

  #inStep(since: number): void {
    if (this.#closing.signal.aborted) return;
    const { maxStaleMs } = this.#options;
    const was = this.#standing.now;
    this.#lastStep = since;
    this.#standing.set(this.#layoutNumber, since + maxStaleMs);
    clearTimeout(this.#staleTimer);
    this.#staleTimer = setTimeout(() => this.#behind(), since + maxStaleMs - clock()).unref();
    if (!was) this.emit("step");
  }

  get #layoutNumber(): number {
    return this.#replica instanceof LineReplica ? this.#replica.layout.number : 0;
  }

  #behind(): void {
    const was = this.#standing.now;
    this.#standing.clear();
    if (was) this.emit("behind");
  }

  /** Each warning once, and again when it comes true again. */
  #warn(): void {
    const { fill, largestKey } = this.#replica;
    const size = (largestKey / 2 ** 20).toFixed(0);
    const percent = Math.round(fill * 100);
    const warnings = [
      [
        largestKey > SHARD_BYTES,
        `A Redis key of ${size} MiB blocks the server whenever it is copied or dropped. Use smaller shardBytes.`,
      ],
      [
        fill >= WARN_AT,
        `The filter holds ${percent} % of its capacity. grow() or rebuild() it before its error rate rises.`,
      ],
    ] as const;
    for (const [i, [holds, message]] of warnings.entries()) {
      if (holds && !this.#warned[i]) this.emit("warning", message);
      this.#warned[i] = holds;
    }
  }

  #failed(error: unknown): void {
    this.#counts.errors++;
    this.#lastError = error;
    this.emit("failure", error);
  }

  #drainScheduled = false;

  /** After what is running now: adds that come together go together. */
  #drainSoon(): void {
    if (this.#drainScheduled || this.#draining || this.#closing.signal.aborted) return;
    this.#drainScheduled = true;
    setImmediate(() => {
      this.#drainScheduled = false;
      if (!this.#closing.signal.aborted) this.#drain();
    });
  }

  /** Sends all that waits. What fails stays, and the next pull tries again. */
  #drain(): Promise<void> {
    this.#draining ??= (async () => {
      try {
        while (await this.#replica.drain()) {
          // There may be more.
        }
      } catch (error) {
        this.#failed(error);
      } finally {
        this.#draining = undefined;
      }
    })();
    return this.#draining;
  }
}
