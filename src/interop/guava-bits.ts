import { foreign } from "../engine/families/foreign.js";
import { LINE } from "../engine/layout.js";
import { BitFilter } from "../filters/bit-filter.js";
import { type EngineOptions, regionOf } from "../filters/line-filter.js";
import { Digest } from "../format/digest.js";
import type { Header } from "../format/header.js";
import { digestLines } from "../format/lines.js";
import type { GuavaHead } from "./guava-head.js";
import { type GuavaStrategy, STRATEGIES } from "./guava-head.js";
import { FOREIGN_KINDS } from "./kinds.js";

interface GuavaBitsOptions extends EngineOptions {
  readonly head: GuavaHead;
  /** What the filter was made for; Guava does not store it. */
  readonly capacity?: number;
  readonly errorRate?: number;
}

/** The bits of a Guava filter, its longs big-endian as in a file. Keys are what a funnel makes of values. */
export class GuavaBits extends BitFilter {
  static readonly kind = FOREIGN_KINDS.guava;
  static readonly family = foreign;
  readonly longs: number;
  readonly strategy: GuavaStrategy;

  constructor(options: GuavaBitsOptions) {
    super(options, foreign, () => {
      const { longs, hashes, strategy } = options.head;
      return {
        kind: FOREIGN_KINDS.guava,
        // What m and k are best for, where nobody said.
        capacity: options.capacity ?? Math.max(1, Math.round((longs * 64 * Math.LN2) / hashes)),
        errorRate: options.errorRate ?? 2 ** -hashes,
        seed: 0n,
        hashes,
        lines: Math.ceil((longs * 8) / LINE),
        detail: longs,
        detail2: STRATEGIES.indexOf(strategy),
      };
    });
    const head = regionOf(this).head();
    const view = new DataView(head.buffer, head.byteOffset);
    this.longs = view.getUint32(12, true);
    this.strategy = STRATEGIES[view.getUint32(56, true)] as GuavaStrategy;
  }

  static isSound({ hashes, lines, detail: longs = 0, detail2: strategy = 0 }: Header): boolean {
    return hashes >= 1 && Math.ceil((longs * 8) / LINE) === lines && strategy < STRATEGIES.length;
  }

  override get bits(): number {
    return this.longs * 64;
  }

  /** The longs where they lie. */
  data(): Uint8Array {
    return regionOf(this)
      .lines()
      .subarray(0, this.longs * 8);
  }

  /** After longs were laid here from outside. */
  recount(): void {
    const region = regionOf(this);
    const digest = new Digest(region.stage);
    for (const _ of digestLines(region, digest)) {
      // Only the number of ones is wanted.
    }
    region.tally = digest.ones;
  }

  /** As Guava's approximateElementCount has it, not yet rounded. */
  protected override keysFromOnes(ones: number): number {
    return (-Math.log1p(-ones / this.bits) * this.bits) / this.hashes;
  }

  protected override rateAt(keys: number): number {
    return (-Math.expm1((-keys * this.hashes) / this.bits)) ** this.hashes;
  }
}
