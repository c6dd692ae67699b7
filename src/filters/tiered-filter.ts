import type { Instance } from "../engine/instance.js";
import { BloomlineError, mustBe, show } from "../errors.js";
import type { Header } from "../format/header.js";
import * as KINDS from "../format/kinds.js";
import { checkEachKey, checkKeys, counted, countOf, eachKey, type Keys, roomFor } from "../keys/batch.js";
import { checkKey, type Key } from "../keys/key.js";
import { BloomFilter } from "./bloom-filter.js";
import {
  addStaged,
  type CompositeEngineOptions,
  CompositeFilter,
  checkNotShared,
  contents,
  contentsIn,
  mustBeFunction,
  mustFit,
  partAdd,
  readComposite,
} from "./composite-filter.js";
import { toSeed } from "./key-hash.js";
import type { EngineOptions } from "./line-filter.js";
import { checkOptions } from "./options.js";

export interface TierOptions {
  /** How many keys the tier is to hold. */
  readonly capacity: number;
  /** The share of strangers it may take for members; 0.01 unless given. */
  readonly errorRate?: number;
}

export interface TieredFilterOptions extends CompositeEngineOptions {
  /** For keys that are asked for often: a low rate, at more bits a key. */
  readonly hot: TierOptions;
  /** For all others. */
  readonly cold: TierOptions;
  /**
   * Which tier a key belongs to, always the same for the same key. A key is then added to its tier and asked for there,
   * at that tier's rate. Without it, `add` says where a key goes, both tiers are asked, and their rates add up.
   */
  readonly isHot?: (key: Key) => boolean;
  /** Of the hash, 64 bits; 0 unless given. */
  readonly seed?: number | bigint;
}

export type Tier = "hot" | "cold";

/** Two filters behind one question: hot keys at one error rate, cold keys at another. */
export class TieredFilter extends CompositeFilter {
  static readonly kind = KINDS.tiered;

  readonly seed: bigint;
  /** The two tiers. Ask them for their capacity, rate and count. */
  readonly hot: BloomFilter;
  readonly cold: BloomFilter;

  readonly #isHot: ((key: Key) => boolean) | undefined;

  constructor(options: TieredFilterOptions) {
    super();
    checkOptions(options, "{ hot: { capacity: 1_000, errorRate: 1e-6 }, cold: { capacity: 1_000_000 } }");
    checkNotShared(options);
    const { hot, cold, isHot, engine = "auto" } = options;
    if (isHot !== undefined && typeof isHot !== "function") throw mustBeFunction("isHot", isHot);
    this.seed = toSeed(options.seed);
    this.#isHot = isHot;
    const given = contentsIn(options);
    const tier = (name: Tier, of: TierOptions) => {
      if (typeof of !== "object" || of === null) {
        throw mustBe(name, of, "an object such as { capacity: 1_000_000, errorRate: 0.01 }", TypeError);
      }
      const { capacity, errorRate = 0.01 } = of;
      return new BloomFilter({ capacity, errorRate, seed: this.seed, engine });
    };
    this.hot = given?.parts[0] ?? tier("hot", hot);
    this.cold = given?.parts[1] ?? tier("cold", cold);
  }

  /** The filter that `toBytes` wrote; `isHot` is not in the bytes and must be given again. */
  static fromBytes(bytes: Uint8Array, options: EngineOptions & Pick<TieredFilterOptions, "isHot"> = {}): TieredFilter {
    const read = readComposite(this, bytes, options);
    const { seed, capacity, errorRate } = read.header;
    const [hot, cold] = read.parts;
    mustFit(
      read,
      read.parts.length === 2 &&
        capacity === hot!.capacity + cold!.capacity &&
        errorRate === bothRates(hot!.errorRate, cold!.errorRate),
    );
    return new TieredFilter({ ...options, seed, [contents]: read } as unknown as TieredFilterOptions);
  }

  static isSound({ hashes, detail, detail2, tally }: Header): boolean {
    return hashes === 0 && !detail && !detail2 && tally === 0;
  }

  protected override get parts(): readonly BloomFilter[] {
    return [this.hot, this.cold];
  }

  get capacity(): number {
    return this.hot.capacity + this.cold.capacity;
  }

  /** Of both tiers together, which holds where both are asked. */
  get errorRate(): number {
    return bothRates(this.hot.errorRate, this.cold.errorRate);
  }

  get bitsPerKey(): number {
    return (this.byteLength * 8) / this.capacity;
  }

  /** About how many distinct keys were added; one that was added to both tiers counts twice. */
  get count(): number {
    return this.hot.count + this.cold.count;
  }

  /** Adds a key to its tier, which `tier` names where there is no isHot; cold unless given. */
  override add(key: Key, tier?: Tier): boolean {
    checkKey(key);
    return this.#tier(key, tier).add(key);
  }

  override has(key: Key): boolean {
    if (!this.#isHot) return super.has(key);
    checkKey(key);
    return this.#tier(key).has(key);
  }

  override addMany(keys: Keys, tier?: Tier): number {
    checkKeys(keys);
    checkEachKey(keys);
    if (!this.#isHot) return this.#tier("", tier).addMany(keys);
    if (tier !== undefined) throw namedTwice(tier);
    const tiers = this.#split(keys);
    return this.hot.addMany(tiers.hot.keys) + this.cold.addMany(tiers.cold.keys);
  }

  override hasMany(keys: Keys, out?: Uint8Array): Uint8Array {
    if (!this.#isHot) return super.hasMany(keys, out);
    checkKeys(keys);
    const all = counted(keys);
    const answers = roomFor(countOf(all), out);
    const tiers = this.#split(all);
    for (const tier of ["hot", "cold"] as const) {
      const { keys, places } = tiers[tier];
      this[tier].hasMany(keys).forEach((answer, i) => {
        answers[places[i]!] = answer;
      });
    }
    return answers;
  }

  /** A hash does not tell whether its key is hot: both tiers are asked. */
  override addHash(hash: Parameters<CompositeFilter["addHash"]>[0], tier?: Tier): boolean {
    if (this.#isHot && tier === undefined) {
      throw new BloomlineError(
        "ERR_INCOMPATIBLE",
        'A hash does not tell whether its key is hot. Give "hot" or "cold".',
      );
    }
    return this[checkedTier(tier)].addHash(hash);
  }

  #tier(key: Key, tier?: Tier): BloomFilter {
    if (!this.#isHot) return this[checkedTier(tier)];
    if (tier !== undefined) throw namedTwice(tier);
    return this.#isHot(key) ? this.hot : this.cold;
  }

  /** The keys of each tier, and where they were. */
  #split(keys: Keys): Record<Tier, { keys: Key[]; places: number[] }> {
    const tiers = {
      hot: { keys: [] as Key[], places: [] as number[] },
      cold: { keys: [] as Key[], places: [] as number[] },
    };
    let place = 0;
    for (const key of eachKey(keys)) {
      checkKey(key, place);
      const tier = this.#isHot?.(key) ? tiers.hot : tiers.cold;
      tier.keys.push(key);
      tier.places.push(place++);
    }
    return tiers;
  }

  protected override addParts(hash: Int32Array): boolean {
    return partAdd(this.cold, hash);
  }

  protected override addBatch(stage: Instance, n: number): number {
    return addStaged(this.cold, stage, 0, n);
  }

  /** Forgets every key. */
  clear(): void {
    this.hot.clear();
    this.cold.clear();
  }

  /** A filter of its own with the same contents, on the same engine. */
  clone(): TieredFilter {
    return TieredFilter.fromBytes(this.toBytes(), {
      engine: this.engine,
      ...(this.#isHot && { isHot: this.#isHot }),
    });
  }

  protected override head() {
    const { seed, capacity, errorRate } = this;
    return { kind: KINDS.tiered, hashes: 0, seed, capacity, errorRate, tally: 0 };
  }
}

function bothRates(hot: number, cold: number): number {
  return 1 - (1 - hot) * (1 - cold);
}

function checkedTier(tier: unknown = "cold"): Tier {
  if (tier === "hot" || tier === "cold") return tier;
  throw new TypeError(`tier is ${show(tier)}; it must be "hot" or "cold".`);
}

function namedTwice(tier: unknown): TypeError {
  return new TypeError(`tier is ${show(tier)}; isHot says already where a key goes. Leave one of them out.`);
}
