import type { Instance } from "../engine/instance.js";
import { HEAD, LINE, MAX_LINES } from "../engine/layout.js";
import { BloomlineError, mustBe } from "../errors.js";
import type { Header } from "../format/header.js";
import * as KINDS from "../format/kinds.js";
import { checkCapacity, checkErrorRate, MAX_ERROR_RATE, MIN_ERROR_RATE, sizeFor } from "../sizing/blocked.js";
import { type Layers, layerSize, layersCapacity } from "../sizing/scalable.js";
import { BloomFilter } from "./bloom-filter.js";
import {
  addStaged,
  askBatch,
  type CompositeEngineOptions,
  CompositeFilter,
  checkNotShared,
  contents,
  contentsIn,
  mustFit,
  partAdd,
  partHas,
  readComposite,
} from "./composite-filter.js";
import { toSeed } from "./key-hash.js";
import type { EngineOptions } from "./line-filter.js";
import { checkOptions } from "./options.js";

export interface ScalableBloomFilterOptions extends CompositeEngineOptions {
  /** How many keys the first layer holds; 1024 unless given. */
  readonly capacity?: number;
  /** The share of strangers it may take for members, however many keys there are; 0.01 unless given. */
  readonly errorRate?: number;
  /** How many times as many keys each further layer holds, a whole number from 1 to 64; 2 unless given. */
  readonly growth?: number;
  /** The error rate of each further layer by that of the one before, 0.1 to 0.99; 0.85 unless given. */
  readonly tightening?: number;
  /** What all layers may take together; just under 4 GiB, the most a file can hold, unless given. */
  readonly maxBytes?: number;
  /** Of the hash, 64 bits; 0 unless given. */
  readonly seed?: number | bigint;
}

const MOST_BYTES = MAX_LINES * LINE;

const LEAST_TIGHTENING = 0.1;
const MOST_TIGHTENING = 0.99;

/** Tightening is kept in the header as 32 binary places. */
const PLACES = 2 ** 32;

/** What leaves the first layer a rate that a filter can have. */
function leastRate(tightening: number): number {
  return MIN_ERROR_RATE / (1 - tightening);
}

/**
 * A Bloom filter that grows with its keys: when its newest layer is full, it adds a larger one with a lower error rate.
 * The rate of all layers together stays below `errorRate` for ever.
 */
export class ScalableBloomFilter extends CompositeFilter {
  static readonly kind = KINDS.scalable;

  readonly errorRate: number;
  readonly seed: bigint;
  readonly growth: number;
  readonly tightening: number;
  readonly maxBytes: number;

  readonly #layers: Layers;
  readonly #engine: CompositeEngineOptions;
  /** Newest first: most keys are there. */
  readonly #parts: BloomFilter[];
  /** Keys in all layers, and how many more the newest takes. */
  #keys = 0;
  #room = 0;

  constructor(options: ScalableBloomFilterOptions = {}) {
    super();
    checkOptions(options, "{ errorRate: 0.01 }");
    checkNotShared(options);
    const { capacity = 1024, errorRate = 0.01, growth = 2, tightening = 0.85, maxBytes = MOST_BYTES } = options;
    checkCapacity(capacity);
    checkErrorRate(errorRate);
    if (!Number.isInteger(growth) || growth < 1 || growth > 64) {
      throw mustBe("growth", growth, "a whole number from 1 to 64");
    }
    if (typeof tightening !== "number" || !(tightening >= LEAST_TIGHTENING && tightening <= MOST_TIGHTENING)) {
      throw mustBe("tightening", tightening, `a number from ${LEAST_TIGHTENING} to ${MOST_TIGHTENING}`);
    }
    if (typeof maxBytes !== "number" || !(maxBytes >= 2 * LINE && maxBytes <= MOST_BYTES)) {
      throw mustBe("maxBytes", maxBytes, `a number from ${2 * LINE} to ${MOST_BYTES}`);
    }
    this.tightening = Math.round(tightening * PLACES) / PLACES;
    const least = leastRate(this.tightening);
    if (errorRate < least) {
      throw mustBe("errorRate", errorRate, `at least ${least.toPrecision(3)} with a tightening of ${tightening}`);
    }
    this.errorRate = errorRate;
    this.seed = toSeed(options.seed);
    this.growth = growth;
    this.maxBytes = maxBytes;
    this.#engine = { engine: options.engine ?? "auto" };
    this.#layers = { capacity, errorRate, growth, tightening: this.tightening };
    const given = contentsIn(options);
    this.#parts = given?.parts.reverse() ?? [];
    if (given) this.#keys = given.header.tally;
    else this.#grow();
    this.#room = layersCapacity(this.#layers, this.layers) - this.#keys;
  }

  /** The filter that `toBytes` wrote; `maxBytes` is not in the bytes and may be given anew. */
  static fromBytes(
    bytes: Uint8Array,
    options: EngineOptions & Pick<ScalableBloomFilterOptions, "maxBytes"> = {},
  ): ScalableBloomFilter {
    const read = readComposite(this, bytes, options);
    const { seed, capacity, errorRate, detail = 0, detail2 = 0, tally } = read.header;
    const layers = { capacity, errorRate, growth: detail, tightening: detail2 / PLACES };
    const count = read.parts.length;
    mustFit(
      read,
      read.parts.every((part, i) => {
        const size = layerSize(layers, i);
        return part.capacity === size.capacity && part.errorRate === size.errorRate;
      }) &&
        tally >= layersCapacity(layers, count - 1) &&
        tally <= layersCapacity(layers, count),
    );
    return new ScalableBloomFilter({ ...options, seed, ...layers, [contents]: read } as ScalableBloomFilterOptions);
  }

  static isSound({ hashes, errorRate, detail = 0, detail2 = 0 }: Header): boolean {
    const tightening = detail2 / PLACES;
    return (
      hashes === 0 &&
      detail >= 1 &&
      detail <= 64 &&
      tightening >= LEAST_TIGHTENING &&
      tightening <= MOST_TIGHTENING &&
      errorRate >= leastRate(tightening) &&
      errorRate <= MAX_ERROR_RATE
    );
  }

  protected override get parts(): readonly BloomFilter[] {
    return this.#parts;
  }

  /** How many keys its layers hold before it grows again. */
  get capacity(): number {
    return layersCapacity(this.#layers, this.layers);
  }

  /** How many layers there are. */
  get layers(): number {
    return this.#parts.length;
  }

  /** How many distinct keys were added, but for those that were taken for members. */
  get count(): number {
    return this.#keys;
  }

  get bitsPerKey(): number {
    return (this.byteLength * 8) / this.capacity;
  }

  /** Adds a layer, or throws and leaves the filter as it is. */
  #grow(): void {
    const size = layerSize(this.#layers, this.layers);
    if (size.errorRate < MIN_ERROR_RATE) {
      throw new BloomlineError(
        "ERR_FULL",
        `The next layer would need an error rate of ${size.errorRate}; ${MIN_ERROR_RATE} is the least. Start with a larger capacity, or raise errorRate or tightening.`,
      );
    }
    const more = HEAD + sizeFor(size.capacity, size.errorRate).lines * LINE;
    const now = this.layers === 0 ? 0 : this.byteLength;
    if (now + more > this.maxBytes) {
      throw new BloomlineError(
        "ERR_FULL",
        `The filter holds ${this.#keys} keys in ${now} bytes; its next layer would take ${more} more, and maxBytes is ${this.maxBytes}. Raise maxBytes or errorRate, or begin anew.`,
      );
    }
    this.#parts.unshift(new BloomFilter({ ...size, seed: this.seed, ...this.#engine }));
    this.#room = size.capacity;
  }

  protected override addParts(hash: Int32Array): boolean {
    const parts = this.#parts;
    const full = this.#room === 0;
    for (let i = full ? 0 : 1; i < parts.length; i++) if (partHas(parts[i]!, hash)) return false;
    if (full) this.#grow();
    if (!partAdd(parts[0]!, hash)) return false;
    this.#count(1);
    return true;
  }

  protected override addBatch(stage: Instance, n: number): number {
    const known = new Uint8Array(n);
    let all = 0;
    while (n > 0) {
      // A key that an older layer has needs no room in the newest; where that is full, it is an older one too.
      askBatch(this.#parts.slice(this.#room === 0 ? 0 : 1), stage, n, known.fill(0));
      n = withoutKnown(stage.hashes, known, n);
      if (n === 0) break;
      if (this.#room === 0) this.#grow();
      let done = 0;
      while (done < n && this.#room > 0) {
        const to = Math.min(n, done + this.#room);
        const changed = addStaged(this.#parts[0]!, stage, done, to);
        this.#count(changed);
        all += changed;
        done = to;
      }
      stage.hashes.copyWithin(0, done * 4, n * 4);
      n -= done;
    }
    return all;
  }

  #count(more: number): void {
    this.#keys += more;
    this.#room -= more;
  }

  /** Forgets every key, and all layers but the first. */
  clear(): void {
    const parts = this.#parts;
    for (const part of parts.splice(0, parts.length - 1)) part.dispose();
    parts[0]!.clear();
    this.#keys = 0;
    this.#room = this.capacity;
  }

  /** A filter of its own with the same contents, on the same engine. */
  clone(): ScalableBloomFilter {
    return ScalableBloomFilter.fromBytes(this.toBytes(), { engine: this.engine, maxBytes: this.maxBytes });
  }

  protected override inOrder(): readonly BloomFilter[] {
    return [...this.#parts].reverse();
  }

  protected override head() {
    return {
      kind: KINDS.scalable,
      hashes: 0,
      seed: this.seed,
      capacity: this.#layers.capacity,
      errorRate: this.errorRate,
      detail: this.growth,
      detail2: this.tightening * PLACES,
      tally: this.#keys,
    };
  }
}

/** Moves the hashes that are not known to the front, and returns how many they are. */
function withoutKnown(hashes: Int32Array, known: Uint8Array, n: number): number {
  let kept = 0;
  for (let i = 0; i < n; i++) {
    if (known[i]) continue;
    if (kept < i) hashes.copyWithin(kept * 4, i * 4, i * 4 + 4);
    kept++;
  }
  return kept;
}
