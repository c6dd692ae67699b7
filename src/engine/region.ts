import type { FilterHandle } from "./handle.js";
import type { Instance } from "./instance.js";
import type { FilterKernel, Kernel } from "./kernel.js";
import { HEAD, KEYS_AT } from "./layout.js";

/** As much as can be counted at once. */
const COUNTED = 2 ** 28;

/** No kernel that counts on counts from here to zero. */
const UNKNOWN = -(2 ** 53);

/** The stretch of memory that one filter owns: its head, then its lines. */
export abstract class Region {
  /** Where keys are staged for the kernel: always private memory. */
  abstract readonly stage: Instance;
  abstract readonly kernel: FilterKernel;
  /** All that the kernel exports over this memory: a family has verbs of its own. */
  abstract readonly exports: Kernel;
  /** What the kernel counts, set bits or items. On private memory the first look after a change may take a scan. */
  abstract tally: number;
  /** What other threads need to come here; undefined in private memory. */
  abstract readonly handle: FilterHandle | undefined;
  abstract readonly buffer: ArrayBufferLike;

  constructor(
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

/** In private memory: keys are staged in front of the very lines. It has few fields, for small filters may be many. */
export class LocalRegion extends Region {
  #lender: Lender | undefined;

  constructor(
    readonly stage: Instance,
    at: number,
    bytes: number,
    lender?: Lender,
  ) {
    super(at, bytes);
    this.#lender = lender;
  }

  get buffer(): ArrayBuffer {
    return this.stage.buffer;
  }

  get kernel(): Kernel {
    return this.stage.kernel;
  }

  get exports(): Kernel {
    return this.stage.kernel;
  }

  get handle(): undefined {
    return undefined;
  }

  get tally(): number {
    const tally = this.#tally();
    // The kernel has set bits and not counted them.
    if (tally[0]! < 0) tally[0] = BigInt(this.#ones());
    return Number(tally[0]);
  }

  set tally(tally: number) {
    this.#tally()[0] = BigInt(tally);
  }

  checkWritable(): void {
    // There is no one else.
  }

  #tally(): BigInt64Array {
    return new BigInt64Array(this.buffer, this.at + 40, 1);
  }

  #ones(): number {
    let ones = 0;
    for (let at = HEAD; at < this.bytes; at += COUNTED) {
      ones += this.kernel.popcount(this.at + at, Math.min(COUNTED, this.bytes - at)) >>> 0;
    }
    return ones;
  }

  combine(how: "merge" | "intersect", from: number, bytes: Uint8Array): void {
    this.stage.keys.set(bytes);
    this.stage.kernel.combine(this.at + HEAD + from, KEYS_AT, bytes.length, how === "intersect" ? 1 : 0);
    this.tally = UNKNOWN;
  }

  /** Once: a filter that was disposed of is garbage-collected all the same. */
  release(): void {
    const lender = this.#lender;
    this.#lender = undefined;
    lender?.giveBack(this);
  }
}
