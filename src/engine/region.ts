import type { FilterHandle } from "./handle.js";
import type { Instance } from "./instance.js";
import type { FilterKernel, Kernel } from "./kernel.js";
import { HEAD, KEYS_AT } from "./layout.js";

/** The stretch of memory that one filter owns: its head, then its lines. */
export abstract class Region {
  /** Where keys are staged for the kernel: always private memory. */
  abstract readonly stage: Instance;
  abstract readonly kernel: FilterKernel;
  /** All that the kernel exports over this memory: a family has verbs of its own. */
  abstract readonly exports: Kernel;
  /** What the kernel counts: set bits, or items. */
  abstract tally: number;
  /** What other threads need to come here; undefined in private memory. */
  abstract readonly handle: FilterHandle | undefined;

  constructor(
    readonly buffer: ArrayBufferLike,
    readonly at: number,
    readonly bytes: number,
  ) {}

  head(): Uint8Array {
    return new Uint8Array(this.buffer, this.at, HEAD);
  }

  lines(): Uint8Array {
    return new Uint8Array(this.buffer, this.at + HEAD, this.bytes - HEAD);
  }

  /** The lines as numbers. */
  words(): Int32Array {
    return new Int32Array(this.buffer, this.at + HEAD, (this.bytes - HEAD) / 4);
  }

  /** Throws where this thread may only read. */
  abstract checkWritable(): void;

  clear(): void {
    this.checkWritable();
    this.lines().fill(0);
    this.tally = 0;
  }

  /** Lines from byte `from` on |= or &= those bytes, at most KEYS_SIZE of them. */
  abstract combine(how: "merge" | "intersect", from: number, bytes: Uint8Array): void;

  abstract release(): void;
}

/** Whoever takes a region back; a region with a memory of its own has none and goes with its memory. */
export interface Lender {
  giveBack(region: LocalRegion): void;
}

/** In private memory: keys are staged in front of the very lines. */
export class LocalRegion extends Region {
  readonly kernel: FilterKernel;
  readonly exports: Kernel;
  readonly handle = undefined;
  readonly #lender: Lender | undefined;

  constructor(
    readonly stage: Instance,
    at: number,
    bytes: number,
    lender?: Lender,
  ) {
    super(stage.buffer, at, bytes);
    this.#lender = lender;
    this.kernel = this.exports = stage.kernel;
  }

  get tally(): number {
    return Number(this.#view().getBigUint64(40, true));
  }

  set tally(tally: number) {
    this.#view().setBigUint64(40, BigInt(tally), true);
  }

  checkWritable(): void {
    // There is no one else.
  }

  #view(): DataView {
    return new DataView(this.buffer, this.at, HEAD);
  }

  combine(how: "merge" | "intersect", from: number, bytes: Uint8Array): void {
    this.stage.keys.set(bytes);
    const common = how === "intersect" ? 1 : 0;
    this.tally += this.stage.kernel.combine(this.at + HEAD + from, KEYS_AT, bytes.length, common);
  }

  release(): void {
    this.#lender?.giveBack(this);
  }
}
