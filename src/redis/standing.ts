import { BloomlineError } from "../errors.js";

const IN_STEP = 0;
const LAYOUT = 1;
const CLOSED = 2;

/** Milliseconds that all threads of a process count alike. */
export const clock = (): number => performance.timeOrigin + performance.now();

/** So many answers trust one look at the clock, which costs 40 ns where a lookup costs 20 to 65. */
const TRUSTED = 32;

/**
 * Whether the local copy is in step, for every thread that reads it. The syncing thread says so after each pull, and a
 * timer takes it back. A thread may be too busy for timers; so the first answer of every turn looks at the clock, and in a
 * long turn one of so many.
 */
export class Standing {
  private readonly words: Int32Array;
  private readonly until: Float64Array;
  private trusted = 0;
  private turning = false;

  constructor(readonly buffer: SharedArrayBuffer = new SharedArrayBuffer(24)) {
    this.words = new Int32Array(buffer, 0, 3);
    this.until = new Float64Array(buffer, 16, 1);
  }

  get layout(): number {
    return Atomics.load(this.words, LAYOUT);
  }

  /** In step with this layout until then. */
  set(layout: number, until: number): void {
    this.until[0] = until;
    Atomics.store(this.words, LAYOUT, layout);
    Atomics.store(this.words, IN_STEP, 1);
  }

  clear(): void {
    Atomics.store(this.words, IN_STEP, 0);
  }

  /** Looks at the clock. */
  get now(): boolean {
    if (Atomics.load(this.words, IN_STEP) === 0) return false;
    if (clock() <= this.until[0]!) return true;
    this.clear();
    return false;
  }

  /** Looks at the clock now and then. */
  get about(): boolean {
    if (--this.trusted <= 0) return this.glance();
    return Atomics.load(this.words, IN_STEP) === 1;
  }

  private glance(): boolean {
    this.trusted = TRUSTED;
    if (!this.turning) {
      this.turning = true;
      queueMicrotask(() => {
        this.turning = false;
        this.trusted = 0;
      });
    }
    return this.now;
  }

  /** Nobody sends keys to Redis any more. */
  close(): void {
    Atomics.store(this.words, CLOSED, 1);
  }

  /** A key that nobody would send must not look like one that was added. */
  checkOpen(): void {
    if (Atomics.load(this.words, CLOSED) === 0) return;
    throw new BloomlineError("ERR_DISPOSED", "This HybridFilter was closed, so nothing can be added. Open another.");
  }
}
