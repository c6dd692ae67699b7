import { BATCH } from "../engine/layout.js";
import { BloomlineError, mustBe, show } from "../errors.js";
import { counted, type Keys } from "../keys/batch.js";
import type { Key } from "../keys/key.js";
import { BloomFilter, type BloomFilterOptions } from "./bloom-filter.js";
import { mustBeFunction } from "./composite-filter.js";
import { disposeSymbol } from "./disposed.js";
import type { KeyHash } from "./key-hash.js";
import { checkOptions } from "./options.js";

export interface RotatingFilterOptions extends BloomFilterOptions {
  /**
   * All keys, for a larger successor: called when a rebuild begins, and again for the next one. What it gives must hold
   * every key that was added before the call; those that are added later, the filter sees to itself.
   */
  readonly keys: (
    signal: AbortSignal,
  ) => Iterable<Key> | AsyncIterable<Key> | Promise<Iterable<Key> | AsyncIterable<Key>>;
  /** The share of its capacity at which a rebuild begins, above 0 and at most 1; 0.7 unless given. */
  readonly threshold?: number;
  /** How many times as many keys a successor holds, above 1 and at most 64; 2 unless given. */
  readonly growth?: number;
  /** How long the old filter is kept after the switch, for those who still hold it; 10,000 unless given. */
  readonly graceMs?: number;
  /** Called when the successor has taken over. */
  readonly onSwitch?: (current: BloomFilter, old: BloomFilter) => void;
  /** Called when a rebuild failed. The old filter goes on; the next rebuild begins a hundredth of its capacity later. */
  readonly onError?: (error: unknown) => void;
}

/**
 * A Bloom filter that grows by rebuilding. When it is 70 % full it asks for all keys and fills a larger successor, while
 * it goes on answering and adds new keys to both; then the successor takes over at once. Its rate is that of one filter,
 * however often it grew, which is what it has over ScalableBloomFilter; the price is a source of all keys.
 */
export class RotatingFilter {
  readonly threshold: number;
  readonly growth: number;
  readonly graceMs: number;

  readonly #options: RotatingFilterOptions;
  #current: BloomFilter;
  #successor: BloomFilter | undefined;
  #old: BloomFilter | undefined;
  #rebuild: { readonly done: Promise<void>; readonly abort: AbortController } | undefined;
  #failed = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** How many more keys may change the filter before its count is looked at: a look costs more than an add. */
  #untilLook: number;

  constructor(options: RotatingFilterOptions) {
    checkOptions(options, "{ capacity: 1_000_000, keys: () => database.allKeys() }");
    const { keys, threshold = 0.7, growth = 2, graceMs = 10_000, onSwitch, onError } = options;
    if (typeof keys !== "function") throw mustBeFunction("keys", keys);
    for (const [name, given] of Object.entries({ onSwitch, onError })) {
      if (given !== undefined && typeof given !== "function") throw mustBeFunction(name, given);
    }
    if (typeof threshold !== "number" || !(threshold > 0 && threshold <= 1)) {
      throw mustBe("threshold", threshold, "a number above 0, at most 1");
    }
    if (typeof growth !== "number" || !(growth > 1 && growth <= 64)) {
      throw mustBe("growth", growth, "a number above 1, at most 64");
    }
    if (typeof graceMs !== "number" || !(graceMs >= 0 && graceMs < 2 ** 31)) {
      throw mustBe("graceMs", graceMs, "a number of milliseconds from 0 to 2^31 - 1");
    }
    this.threshold = threshold;
    this.growth = growth;
    this.graceMs = graceMs;
    this.#options = options;
    this.#current = new BloomFilter(options);
    this.#untilLook = threshold * this.#current.capacity;
  }

  /** The filter that answers now. After a switch, it is another one. */
  get current(): BloomFilter {
    return this.#current;
  }

  /** Whether a successor is being filled. */
  get isRebuilding(): boolean {
    return this.#rebuild !== undefined;
  }

  get capacity(): number {
    return this.#current.capacity;
  }

  get errorRate(): number {
    return this.#current.errorRate;
  }

  get seed(): bigint {
    return this.#current.seed;
  }

  /** About how many distinct keys were added. */
  get count(): number {
    return this.#current.count;
  }

  get currentErrorRate(): number {
    return this.#current.currentErrorRate;
  }

  /** What it takes now, successor and old filter included. */
  get byteLength(): number {
    return [this.#current, this.#successor, this.#old].reduce((sum, filter) => sum + (filter?.byteLength ?? 0), 0);
  }

  /** Adds a key, during a rebuild to both filters. True: the filter that answers changed. */
  add(key: Key): boolean {
    const changed = this.#current.add(key);
    this.#successor?.add(key);
    if (changed) this.#grew(1);
    return changed;
  }

  has(key: Key): boolean {
    return this.#current.has(key);
  }

  addMany(keys: Keys): number {
    // An iterable can be read only once, and there may be two filters to fill.
    const all = this.#successor ? counted(keys) : keys;
    const changed = this.#current.addMany(all);
    this.#successor?.addMany(all);
    this.#grew(changed);
    return changed;
  }

  hasMany(keys: Keys, out?: Uint8Array): Uint8Array {
    return this.#current.hasMany(keys, out);
  }

  hash(key: Key): KeyHash {
    return this.#current.hash(key);
  }

  hasHash(hash: KeyHash): boolean {
    return this.#current.hasHash(hash);
  }

  addHash(hash: KeyHash): boolean {
    const changed = this.#current.addHash(hash);
    this.#successor?.addHash(hash);
    if (changed) this.#grew(1);
    return changed;
  }

  /** The bytes of the filter that answers now: those of a BloomFilter. */
  toBytes(): Uint8Array<ArrayBuffer> {
    return this.#current.toBytes();
  }

  #grew(changed: number): void {
    this.#untilLook -= changed;
    if (this.#untilLook > 0 || this.#rebuild) return;
    const { count, capacity } = this.#current;
    this.#untilLook = this.threshold * capacity - count;
    if (this.#untilLook <= 0) {
      // Who wants to know has given onError; a failure must not end the process.
      this.rebuild().catch(() => {});
    }
  }

  /** Begins a rebuild, or joins the one that is under way. Resolves after the switch; rejects where the source failed. */
  rebuild(): Promise<void> {
    if (!this.#rebuild) {
      // Touched before anything is begun: a disposed filter throws here.
      const { count, capacity } = this.#current;
      const larger = Math.ceil(Math.max(capacity, Number.isFinite(count) ? count : 0) * this.growth);
      const abort = new AbortController();
      this.#rebuild = { abort, done: this.#fill(larger, abort.signal) };
    }
    return this.#rebuild.done;
  }

  async #fill(capacity: number, signal: AbortSignal): Promise<void> {
    let successor: BloomFilter | undefined;
    try {
      // A successor that is too large fails the rebuild, not the add that set it off.
      await undefined;
      signal.throwIfAborted();
      this.#successor = successor = new BloomFilter({ ...this.#options, capacity });
      await fillFrom(successor, this.#options.keys, signal);
    } catch (error) {
      this.#failed = true;
      this.#successor = undefined;
      successor?.dispose();
      this.#untilLook = this.#current.capacity / 100;
      if (!signal.aborted) this.#options.onError?.(error);
      throw error;
    } finally {
      this.#rebuild = undefined;
    }
    this.#failed = false;
    this.#switchTo(successor);
  }

  #switchTo(successor: BloomFilter): void {
    this.#dispose(this.#old);
    const old = this.#current;
    this.#old = old;
    this.#current = successor;
    this.#successor = undefined;
    this.#untilLook = this.threshold * successor.capacity - successor.count;
    this.#timer = setTimeout(() => this.#dispose(old), this.graceMs);
    (this.#timer as { unref?: () => void }).unref?.();
    this.#options.onSwitch?.(successor, old);
  }

  #dispose(old: BloomFilter | undefined): void {
    if (!old || old !== this.#old) return;
    clearTimeout(this.#timer);
    this.#old = undefined;
    old.dispose();
  }

  /**
   * Drops the old filter before its grace period is over. Refused while a rebuild is under way or after it failed: the
   * old filter is then the only one that has all keys.
   */
  dropOld(): boolean {
    if (this.#rebuild || this.#failed) {
      throw new BloomlineError(
        "ERR_REBUILDING",
        `The rebuild ${this.#rebuild ? "has not finished" : "failed"}, so the old filter is the only one with all keys. Await rebuild() first.`,
      );
    }
    const had = this.#old !== undefined;
    this.#dispose(this.#old);
    return had;
  }

  /** Stops a rebuild and gives all memory back. Any later use is an error. */
  dispose(): void {
    this.#rebuild?.abort.abort();
    this.#dispose(this.#old);
    this.#successor?.dispose();
    this.#current.dispose();
  }

  [disposeSymbol](): void {
    this.dispose();
  }
}

/** How long a rebuild keeps others waiting. */
const TURN_MS = 5;

/** Reads a source to its end, batch by batch, letting others have their turn now and then. */
async function fillFrom(filter: BloomFilter, keys: RotatingFilterOptions["keys"], signal: AbortSignal): Promise<void> {
  const source = await keys(signal);
  const isSource = typeof source === "object" && source !== null;
  if (!isSource || !(Symbol.asyncIterator in source || Symbol.iterator in source) || source instanceof Uint8Array) {
    throw new TypeError(`keys() gave ${show(source)}; it must give an iterable or an async iterable of keys.`);
  }
  let batch: Key[] = [];
  let turn = performance.now();
  for await (const key of source) {
    signal.throwIfAborted();
    if (batch.push(key) < BATCH) continue;
    filter.addMany(batch);
    batch = [];
    if (performance.now() - turn < TURN_MS) continue;
    await new Promise((resolve) => setTimeout(resolve));
    turn = performance.now();
  }
  signal.throwIfAborted();
  filter.addMany(batch);
}
