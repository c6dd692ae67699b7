import { frozen } from "../engine/families/frozen.js";
import type { FrozenKernel } from "../engine/kernel.js";
import { LINE } from "../engine/layout.js";
import { mustBe } from "../errors.js";
import type { Digest } from "../format/digest.js";
import type { Header, Parameters } from "../format/header.js";
import * as KINDS from "../format/kinds.js";
import { hashKey } from "../keys/hash.js";
import type { Key } from "../keys/key.js";
import { approximatorRateAt, approximatorSizeFor } from "../sizing/approximator.js";
import { MAX_HASHES } from "../sizing/blocked.js";
import { toSeed } from "./key-hash.js";
import { type EngineOptions, ReadableFilter, regionOf } from "./line-filter.js";
import { checkOptions } from "./options.js";

export interface CompactApproximatorOptions extends EngineOptions {
  /** How many keys it is to hold. */
  readonly capacity: number;
  /** The share of keys that may read too high at capacity, 1e-9 to 0.5; 0.01 unless given. */
  readonly errorRate?: number;
  /** Of a value: 8 (0 to 255, the default) or 16 (0 to 65,535). */
  readonly valueBits?: 8 | 16;
  /** Of the hash, 64 bits; 0 unless given. */
  readonly seed?: number | bigint;
}

function parametersOf(options: CompactApproximatorOptions): Parameters {
  checkOptions(options, "{ capacity: 1000, valueBits: 8 }");
  const { capacity, errorRate = 0.01, valueBits = 8 } = options;
  if (valueBits !== 8 && valueBits !== 16) throw mustBe("valueBits", valueBits, "8 or 16");
  const seed = toSeed(options.seed);
  const { cells, hashes, lines } = approximatorSizeFor(capacity, errorRate, valueBits);
  return {
    kind: KINDS.approximator,
    capacity,
    errorRate,
    seed,
    hashes,
    lines,
    detail: valueBits,
    detail2: cells,
  };
}

/**
 * A map from keys to small numbers that never reads too low: `get` gives at least the greatest value that was put for a
 * key, and more at the error rate. 0 is what a key reads that was never put, and `has` asks whether it reads more.
 */
export class CompactApproximator extends ReadableFilter {
  static readonly kind = KINDS.approximator;
  static readonly family = frozen;

  readonly valueBits: 8 | 16;
  /** Numbers of which a key owns `hashes`. */
  readonly cells: number;

  constructor(options: CompactApproximatorOptions) {
    super(options, frozen, () => parametersOf(options));
    const head = regionOf(this).head();
    const view = new DataView(head.buffer, head.byteOffset, head.length);
    this.valueBits = view.getUint32(12, true) as 8 | 16;
    this.cells = view.getUint32(56, true);
  }

  static isSound({ hashes, lines, detail = 0, detail2 = 0 }: Header): boolean {
    return (
      hashes >= 1 &&
      hashes <= MAX_HASHES &&
      (detail === 8 || detail === 16) &&
      detail2 >= 1 &&
      Math.ceil((detail2 * detail) / (8 * LINE)) === lines
    );
  }

  /** Raises the value of a key to at least this. True: something changed. */
  put(key: Key, value: number): boolean {
    if (!Number.isInteger(value) || value < 0 || value >= 2 ** this.valueBits) {
      throw mustBe("value", value, `a whole number from 0 to ${2 ** this.valueBits - 1}`);
    }
    const region = regionOf(this);
    region.checkWritable();
    const { exports, at, stage } = region;
    hashKey(key, this.seed, stage);
    const [a, b, c, d] = stage.hashParts as unknown as [number, number, number, number];
    return (exports as FrozenKernel).putHash(at, a, b, c, d, value) !== 0;
  }

  /** At least the greatest value that was put for the key. */
  get(key: Key): number {
    const { exports, at, stage } = regionOf(this);
    hashKey(key, this.seed, stage);
    const { hashParts: hash } = stage;
    return (exports as FrozenKernel).getHash(at, hash[0]!, hash[1]!, hash[2]!, hash[3]!);
  }

  /** The chance that a key reads v or more though it was put lower, or never, where `keys` were put at v or more. */
  rateAt(keys: number): number {
    if (typeof keys !== "number" || !(keys >= 0)) throw mustBe("keys", keys, "a number from 0 up");
    return approximatorRateAt(keys, this.cells, this.hashes);
  }

  /** Every key reads 0 again. */
  clear(): void {
    regionOf(this).clear();
  }

  protected override tallyOf(digest: Digest): number {
    return digest.ones;
  }
}
