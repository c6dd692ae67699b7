import { BloomlineError, show } from "../errors.js";
import type { Digest } from "../format/digest.js";
import { PIECE } from "../format/lines.js";
import { LineFilter, regionOf } from "./line-filter.js";

/** A filter in which a key is a few set bits: it can be merged, and its fill tells how full it is. */
export abstract class BitFilter extends LineFilter {
  protected override tallyOf(digest: Digest): number {
    return digest.ones;
  }

  /** How many bits a key can land on. */
  protected get bits(): number {
    return this.byteLength * 8;
  }

  /** About how many distinct keys were added, as a fraction, from the bits they set. */
  protected abstract keysFromOnes(ones: number): number;

  /** The error rate with so many keys. */
  protected abstract rateAt(keys: number): number;

  /**
   * The share of bits that are set: about a half at capacity. On private memory the first look after a change, here or
   * below, counts the bits; on shared memory nobody needs to.
   */
  get fillRatio(): number {
    return regionOf(this).tally / this.bits;
  }

  /** About how many distinct keys were added, from the bits they set. Infinity once every bit is set. */
  get count(): number {
    return Math.round(this.keysFromOnes(regionOf(this).tally));
  }

  /** The error rate now, from the bits that are set: it rises above `errorRate` beyond capacity. */
  get currentErrorRate(): number {
    return this.rateAt(this.keysFromOnes(regionOf(this).tally));
  }

  /** Adds all that the other filter holds. */
  merge(other: this): this {
    return this.combine(other, "merge");
  }

  /** Keeps only bits that the other filter has too: every key that is in both, and strangers at somewhat more than the rate. */
  intersect(other: this): this {
    return this.combine(other, "intersect");
  }

  private combine(other: this, how: "merge" | "intersect"): this {
    if (!this.isCompatible(other)) {
      throw new BloomlineError(
        "ERR_INCOMPATIBLE",
        `${describe(this)} cannot ${how} ${describe(other)}. Build both with the same options.`,
      );
    }
    const region = regionOf(this);
    const theirs = regionOf(other).lines();
    region.checkWritable();
    for (let at = 0; at < theirs.length; at += PIECE) region.combine(how, at, theirs.subarray(at, at + PIECE));
    return this;
  }
}

function describe(filter: unknown): string {
  if (!(filter instanceof BitFilter)) return show(filter);
  const { lines, hashes, seed } = filter;
  return `${filter.constructor.name} of ${lines} lines, ${hashes} hashes, seed ${seed}`;
}
