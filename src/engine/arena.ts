import type { Instance } from "./instance.js";
import { PAGE, SCRATCH } from "./layout.js";
import { type Lender, LocalRegion } from "./region.js";

/** The first chunk is 1 MiB, each further one twice as large as the one before, up to 4 MiB: the last is seldom full. */
const FIRST_CHUNK = 1 << 20;
const LARGEST_CHUNK = 1 << 22;

/** Below this, a filter always finds room here. */
const SMALL = 1 << 18;

/**
 * From the second on, filters of up to 2 MiB lie in one chunk as long as it has room, because V8 calls one kernel faster
 * than many in turn: 18 to 20 ns to add an integer against 21 to 24. No more than one: what nobody disposes of comes back
 * only when the program pauses. It goes when it is garbage-collected, not when it is empty: making it takes longer than
 * using it for one filter.
 */
const MEDIUM = 1 << 21;
const COMMON_CHUNK = 1 << 24;

/** One memory in which many small filters lie side by side. */
class Chunk implements Lender {
  /** Free stretches, ordered by address: at, size, at, size, … */
  readonly #holes: number[];
  readonly #capacity: number;

  readonly #instance: Instance;
  readonly #arena: Arena;

  constructor(instance: Instance, arena: Arena) {
    this.#instance = instance;
    this.#arena = arena;
    this.#capacity = instance.buffer.byteLength - SCRATCH;
    this.#holes = [SCRATCH, this.#capacity];
  }

  get isEmpty(): boolean {
    return this.#holes[1] === this.#capacity;
  }

  /** First fit; undefined where no hole is large enough. */
  take(bytes: number): LocalRegion | undefined {
    const holes = this.#holes;
    for (let i = 0; i < holes.length; i += 2) {
      const at = holes[i] as number;
      const free = holes[i + 1] as number;
      if (free < bytes) continue;
      if (free === bytes) holes.splice(i, 2);
      else holes.splice(i, 2, at + bytes, free - bytes);
      new Uint8Array(this.#instance.buffer, at, bytes).fill(0);
      return new LocalRegion(this.#instance, at, bytes, this);
    }
    return undefined;
  }

  giveBack(region: LocalRegion): void {
    const holes = this.#holes;
    let i = 0;
    while (i < holes.length && (holes[i] as number) < region.at) i += 2;
    holes.splice(i, 0, region.at, region.bytes);
    this.#joinIfAdjacent(i);
    if (i > 0) this.#joinIfAdjacent(i - 2);
    this.#arena.returned(this);
  }

  /** Makes one hole of hole i and the next. */
  #joinIfAdjacent(i: number): void {
    const [at, size, nextAt, nextSize] = this.#holes.slice(i, i + 4) as [number, number, number, number];
    if (at + size === nextAt) this.#holes.splice(i, 4, at, size + nextSize);
  }
}

/**
 * Room for small filters. A WebAssembly memory each would cost 35-50 µs, and a process ends at about 13,000 of them;
 * 50,000 small filters fit here in a handful of chunks. Some medium ones, too.
 */
export class Arena {
  #chunks: Chunk[] = [];
  #common: WeakRef<Chunk> | undefined;
  #mediums = 0;
  readonly #abandoned = new FinalizationRegistry<LocalRegion>((region) => region.release());

  readonly #instantiate: (pages: number) => Instance;

  constructor(instantiate: (pages: number) => Instance) {
    this.#instantiate = instantiate;
  }

  /**
   * Zeroed memory; it comes back when the region is released or, failing that, when `owner` is garbage-collected. None for
   * a filter that had better have a memory of its own.
   */
  take(bytes: number, owner: object): LocalRegion | undefined {
    // A program with a single medium filter need not have the chunk.
    const region =
      bytes < SMALL ? this.#takeSmall(bytes) : bytes <= MEDIUM && this.#mediums++ ? this.#takeMedium(bytes) : undefined;
    if (region) this.#abandoned.register(owner, region);
    return region;
  }

  returned(chunk: Chunk): void {
    if (chunk.isEmpty && this.#chunks.length > 1) this.#chunks = this.#chunks.filter((other) => other !== chunk);
  }

  #takeSmall(bytes: number): LocalRegion | undefined {
    for (const chunk of this.#chunks) {
      const region = chunk.take(bytes);
      if (region) return region;
    }
    const chunk = this.#chunk(Math.min(FIRST_CHUNK * 2 ** this.#chunks.length, LARGEST_CHUNK));
    this.#chunks.push(chunk);
    return chunk.take(bytes);
  }

  #takeMedium(bytes: number): LocalRegion | undefined {
    let chunk = this.#common?.deref();
    if (!chunk) this.#common = new WeakRef((chunk = this.#chunk(COMMON_CHUNK)));
    return chunk.take(bytes);
  }

  #chunk(bytes: number): Chunk {
    return new Chunk(this.#instantiate(bytes / PAGE), this);
  }
}
