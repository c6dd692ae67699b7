import { deleting } from "../engine/families/deleting.js";
import type { Header, Parameters } from "../format/header.js";
import * as KINDS from "../format/kinds.js";
import {
  BUCKET,
  cuckooLines,
  cuckooRate,
  cuckooSize,
  cuckooSizeFor,
  FINGERPRINT_BITS,
  type FingerprintBits,
} from "../sizing/cuckoo.js";
import { toSeed } from "./key-hash.js";
import { checkOptions } from "./options.js";
import { SlotFilter, type SlotFilterOptions } from "./slot-filter.js";

export interface CuckooFilterOptions extends SlotFilterOptions {
  /** How many keys the filter is to hold at a time. */
  readonly capacity: number;
  /** The share of strangers it may take for members at capacity, at least 1.8e-9; 0.01 unless given. */
  readonly errorRate?: number;
  /** Instead of errorRate: the bits of a fingerprint. 8 give a rate of 2.9 %, 12 of 0.19 %, 16 of 0.012 %, 32 of 1.8e-9. */
  readonly fingerprintBits?: FingerprintBits;
  /** Of the hash, 64 bits; 0 unless given. */
  readonly seed?: number | bigint;
}

/** The two buckets of a key. */
const HASHES = 2;

function parametersOf(options: CuckooFilterOptions): Parameters {
  checkOptions(options, "{ capacity: 1_000_000, errorRate: 0.01 }");
  const { capacity, errorRate = 0.01, fingerprintBits, seed } = options;
  if (fingerprintBits !== undefined && options.errorRate !== undefined) {
    throw new TypeError("errorRate and fingerprintBits say the same; give one of them.");
  }
  const size =
    fingerprintBits === undefined
      ? { ...cuckooSizeFor(capacity, errorRate), errorRate }
      : cuckooSize(capacity, fingerprintBits);
  return {
    kind: KINDS.cuckoo,
    capacity,
    errorRate: size.errorRate,
    seed: toSeed(seed),
    lines: size.lines,
    hashes: HASHES,
    detail: size.buckets,
    detail2: size.fingerprintBits,
  };
}

/**
 * A filter that keeps a fingerprint of each key in one of two buckets of four slots. It can delete, and at low error
 * rates it is the smallest of the filters to which keys can be added.
 *
 * `has` never says no to a key that was added more often than deleted. A key may be added up to eight times. An add for
 * which there is no room changes nothing. Delete only what was added: a stranger that `has` takes for a member has the
 * fingerprint of one, which would be deleted instead.
 */
export class CuckooFilter extends SlotFilter {
  static readonly kind = KINDS.cuckoo;
  static readonly family = deleting;

  constructor(options: CuckooFilterOptions) {
    super(options, deleting, () => parametersOf(options));
  }

  static isSound({ hashes, lines, tally, detail: buckets = 0, detail2: bits = 0 }: Header): boolean {
    return (
      hashes === HASHES &&
      buckets >= 1 &&
      FINGERPRINT_BITS.includes(bits) &&
      lines === cuckooLines(buckets, bits) &&
      tally <= buckets * BUCKET
    );
  }

  get buckets(): number {
    return this.parameters.detail as number;
  }

  override get slots(): number {
    return this.buckets * BUCKET;
  }

  get fingerprintBits(): number {
    return this.parameters.detail2 as number;
  }

  /** The error rate now, from the slots that are full. */
  get currentErrorRate(): number {
    return cuckooRate(this.fillRatio, this.fingerprintBits);
  }
}
