import { frozen } from "../engine/families/frozen.js";
import { mustBe } from "../errors.js";
import type { Header } from "../format/header.js";
import * as KINDS from "../format/kinds.js";
import { checkEachKey, checkKeys, type Keys } from "../keys/batch.js";
import type { FuseHashes } from "../sizing/fuse.js";
import { HashList } from "./hash-list.js";
import { toSeed } from "./key-hash.js";
import { type EngineOptions, ReadableFilter, regionOf } from "./line-filter.js";
import { checkOptions } from "./options.js";
import { areSound, buildSlots, checkFuseHashes, slotsIn } from "./slots.js";
import { useFrom } from "./use-from.js";
import { withStage } from "./workspace.js";

export interface FuseFilterOptions extends EngineOptions {
  /** Of a fingerprint: 8 (a rate of 0.39 %, the default), 16 (0.0015 %) or 32 (2.3e-10). */
  readonly bits?: 8 | 16 | 32;
  /** Slots a key owns: 3 (the default), or 4 for 4 % less memory and one more read. */
  readonly hashes?: FuseHashes;
  /** Of the hash, 64 bits; 0 unless given. */
  readonly seed?: number | bigint;
}

/**
 * The binary fuse filter: about 9 bits a key at a rate of 1/256, less than any filter that takes keys one by one. Built
 * once from all its keys, then only read: what a server builds and a page downloads.
 */
export class FuseFilter extends ReadableFilter {
  static readonly kind = KINDS.fuse;
  static readonly family = frozen;

  /** @internal */
  constructor(options: EngineOptions) {
    super(options, frozen, () => {
      throw useFrom("FuseFilter");
    });
  }

  /** A filter of these keys; one that comes twice counts once. */
  static from(keys: Keys, options: FuseFilterOptions = {}): FuseFilter {
    checkOptions(options, "{ bits: 8 }");
    const { bits = 8, hashes = 3, engine = "auto", shared } = options;
    if (bits !== 8 && bits !== 16 && bits !== 32) throw mustBe("bits", bits, "8, 16 or 32");
    checkFuseHashes(hashes);
    const seed = toSeed(options.seed);
    checkKeys(keys);
    checkEachKey(keys);
    const list = withStage(engine, (stage) => new HashList(keys, seed, stage));
    const plan = { kind: KINDS.fuse, seed, errorRate: 2 ** -bits, hashes, bits, valueBits: 0 };
    return buildSlots(FuseFilter, plan, list, undefined, { engine, ...(shared !== undefined && { shared }) });
  }

  static isSound(header: Header): boolean {
    const { bits, valueBits } = slotsIn(header);
    return (
      (bits === 8 || bits === 16 || bits === 32) &&
      valueBits === 0 &&
      header.errorRate === 2 ** -bits &&
      header.tally <= header.capacity &&
      areSound(header)
    );
  }

  /** How many distinct keys it was built of. */
  get count(): number {
    return regionOf(this).tally;
  }

  /** Bits of a fingerprint. */
  get bits(): number {
    return -Math.log2(this.errorRate);
  }

  protected override tallyOf(): number {
    return regionOf(this).tally;
  }
}
