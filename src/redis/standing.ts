const IN_STEP = 0;
const LAYOUT = 1;

/** Milliseconds that all threads of a process count alike. */
export const clock = (): number => performance.timeOrigin + performance.now();

/** How often a definite "absent" looks at the clock: it costs as much as the lookup. */
const GLANCE = 256;

/**
 * Whether the local copy is in step, for every thread that reads it. The syncing thread says so after each pull, and a
 * timer takes it back; where a thread is too busy for timers, every so many answers look at the clock.
 */
export class Standing {
  private readonly words: Int32Array;
  private readonly until: Float64Array;
  private glances = 0;

  constructor(readonly buffer: SharedArrayBuffer = new SharedArrayBuffer(16)) {
    this.words = new Int32Array(buffer, 0, 2);
    this.until = new Float64Array(buffer, 8, 1);
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
    if ((++this.glances & (GLANCE - 1)) === 0) return this.now;
    return Atomics.load(this.words, IN_STEP) === 1;
  }
}
