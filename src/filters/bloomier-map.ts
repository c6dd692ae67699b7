import { frozen } from "../engine/families/frozen.js";
import type { FrozenKernel } from "../engine/kernel.js";
import { mustBe, show } from "../errors.js";
import type { Header } from "../format/header.js";
import * as KINDS from "../format/kinds.js";
import { hashKey } from "../keys/hash.js";
import type { Key } from "../keys/key.js";
import { checkErrorRate } from "../sizing/blocked.js";
import type { FuseHashes } from "../sizing/fuse.js";
import { HashList } from "./hash-list.js";
import { hashParts, type KeyHash, toSeed } from "./key-hash.js";
import { type EngineOptions, ReadableFilter, regionOf } from "./line-filter.js";
import { checkOptions } from "./options.js";
import { areSound, buildSlots, checkFuseHashes, slotsIn } from "./slots.js";
import { useFrom } from "./use-from.js";
import { withStage } from "./workspace.js";

export interface BloomierMapOptions extends EngineOptions {
  /** Bits of a value, 1 to 32: values are whole numbers below 2^valueBits. */
  readonly valueBits: number;
  /** The share of strangers that are given a value, 1e-9 to 0.5; 0.01 unless given. It is met by a power of two. */
  readonly errorRate?: number;
  /** Slots a key owns: 3 (the default), or 4 for 4 % less memory and one more read. */
  readonly hashes?: FuseHashes;
  /** Of the hash, 64 bits; 0 unless given. */
  readonly seed?: number | bigint;
}

function fingerprintBits(errorRate: number): number {
  return Math.ceil(-Math.log2(errorRate));
}

/**
 * A map that does not keep its keys: a key that it was built with gives its value, always; another key gives undefined,
 * and some value at the error rate. It takes 1.125 bits for each bit of value and fingerprint.
 */
export class BloomierMap extends ReadableFilter {
  static readonly kind = KINDS.bloomier;
  static readonly family = frozen;

  /** @internal */
  constructor(options: EngineOptions) {
    super(options, frozen, () => {
      throw useFrom("BloomierMap");
    });
  }

  /** A map of these entries. A key may come twice with the same value, but not with two. */
  static from(entries: Iterable<readonly [Key, number]>, options: BloomierMapOptions): BloomierMap {
    checkOptions(options, "{ valueBits: 8, errorRate: 0.001 }");
    const { valueBits, errorRate = 0.01, hashes = 3, engine = "auto", shared = false } = options;
    if (!Number.isInteger(valueBits) || valueBits < 1 || valueBits > 32) {
      throw mustBe("valueBits", valueBits, "a whole number from 1 to 32");
    }
    checkErrorRate(errorRate);
    checkFuseHashes(hashes);
    const seed = toSeed(options.seed);
    if (typeof entries !== "object" || entries === null || !(Symbol.iterator in entries)) {
      throw new TypeError(`entries is ${show(entries)}; it must be an iterable of [key, value], such as a Map.`);
    }
    const values: number[] = [];
    const list = withStage(engine, (stage) => new HashList(keysOf(entries, valueBits, values), seed, stage));
    const bits = fingerprintBits(errorRate) + valueBits;
    const plan = { kind: KINDS.bloomier, seed, errorRate, hashes, bits, valueBits };
    return buildSlots(BloomierMap, plan, list, values, { engine, shared });
  }

  static isSound(header: Header): boolean {
    const { bits, valueBits } = slotsIn(header);
    return (
      valueBits >= 1 &&
      valueBits <= 32 &&
      bits === fingerprintBits(header.errorRate) + valueBits &&
      bits > valueBits &&
      bits <= 62 &&
      header.tally <= header.capacity &&
      areSound(header)
    );
  }

  /** How many distinct keys it was built with. */
  get count(): number {
    return regionOf(this).tally;
  }

  /** Bits of a value. */
  get valueBits(): number {
    return regionOf(this).head()[15]!;
  }

  /** The value of a key, or undefined where it has none. */
  get(key: Key): number | undefined {
    const { stage } = regionOf(this);
    hashKey(key, this.seed, stage);
    return this.#getParts(stage.hashParts);
  }

  /** `get` for a key that was hashed before, by this or any filter of the same seed. */
  getHash(hash: KeyHash): number | undefined {
    return this.#getParts(hashParts(hash, this.seed));
  }

  #getParts(hash: Int32Array): number | undefined {
    const { exports, at } = regionOf(this);
    const value = (exports as FrozenKernel).getHash(at, hash[0]!, hash[1]!, hash[2]!, hash[3]!);
    return value < 0 ? undefined : value;
  }

  protected override tallyOf(): number {
    return regionOf(this).tally;
  }
}

/** The keys of entries, whose values are put aside in the same order. */
function* keysOf(entries: Iterable<readonly [Key, number]>, valueBits: number, values: number[]): Generator<Key, void> {
  const limit = 2 ** valueBits;
  for (const entry of entries) {
    const index = values.length;
    if (!Array.isArray(entry)) throw new TypeError(`entries[${index}] is ${show(entry)}; it must be [key, value].`);
    const [key, value] = entry as readonly [Key, number];
    if (!Number.isInteger(value) || value < 0 || value >= limit) {
      throw mustBe(`entries[${index}][1]`, value, `a whole number below 2^${valueBits}, or valueBits must be greater`);
    }
    values.push(value);
    yield key;
  }
}
