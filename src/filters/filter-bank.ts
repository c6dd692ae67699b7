import { frozen } from "../engine/families/frozen.js";
import type { FrozenKernel } from "../engine/kernel.js";
import { HEAD, KEYS_AT, LINE } from "../engine/layout.js";
import type { Region } from "../engine/region.js";
import { BloomlineError, mustBe } from "../errors.js";
import type { Digest } from "../format/digest.js";
import type { Header, Parameters } from "../format/header.js";
import * as KINDS from "../format/kinds.js";
import { checkEachKey, checkKeys, eachHashedBatch, type Keys } from "../keys/batch.js";
import { hashKey } from "../keys/hash.js";
import type { Key } from "../keys/key.js";
import { bankLines, checkBank, checkPlaces, MAX_PLACES, ROWS_PER_LINE, rowBytes } from "../sizing/bank.js";
import { MAX_HASHES, sizeFor } from "../sizing/blocked.js";
import { BloomFilter } from "./bloom-filter.js";
import { hashParts, type KeyHash, toSeed } from "./key-hash.js";
import { type EngineOptions, emptyFrom, ReadableFilter, regionOf } from "./line-filter.js";
import { checkOptions } from "./options.js";

export interface FilterBankOptions extends EngineOptions {
  /** How many filters there can be, up to 65,536. */
  readonly filters: number;
  /** How many keys each is to hold. */
  readonly capacity: number;
  /** The share of strangers each may take for members at capacity, 1e-9 to 0.5; 0.01 unless given. */
  readonly errorRate?: number;
  /** Of the hash, 64 bits; 0 unless given. */
  readonly seed?: number | bigint;
}

function parametersOf(options: FilterBankOptions): Parameters {
  checkOptions(options, "{ filters: 100, capacity: 1000 }");
  const { filters, capacity, errorRate = 0.01 } = options;
  checkPlaces(filters);
  const seed = toSeed(options.seed);
  const { lines, hashes } = sizeFor(capacity, errorRate);
  checkBank(filters, lines);
  const detail = { detail: filters, detail2: lines };
  return { kind: KINDS.bank, capacity, errorRate, seed, hashes, lines: bankLines(filters, lines), ...detail };
}

/**
 * Many Bloom filters of one size and seed, asked together: `which` hashes the key once and reads a few rows of bits, one
 * bit a filter, instead of a line of every filter. Each answers exactly as a BloomFilter of its own would.
 */
export class FilterBank extends ReadableFilter {
  static readonly kind = KINDS.bank;
  static readonly family = frozen;

  /** How many filters there can be: their indices are below this. */
  readonly filters: number;
  /** Lines of each filter. */
  readonly filterLines: number;
  /** 32-bit words of a row. */
  readonly #rowWords: number;
  /** Where `which` leaves its answer, in private memory. */
  readonly #answer: Int32Array;

  constructor(options: FilterBankOptions) {
    super(options, frozen, () => parametersOf(options));
    const { buffer, at, stage } = regionOf(this);
    const head = new DataView(buffer, at, HEAD);
    this.filters = head.getUint32(12, true);
    this.filterLines = head.getUint32(56, true);
    this.#rowWords = rowBytes(this.filters) / 4;
    this.#answer = new Int32Array(stage.buffer, KEYS_AT, this.#rowWords);
  }

  static isSound({ hashes, lines, detail = 0, detail2 = 0 }: Header): boolean {
    return (
      hashes >= 1 &&
      hashes <= MAX_HASHES &&
      detail >= 1 &&
      detail <= MAX_PLACES &&
      detail2 >= 1 &&
      bankLines(detail, detail2) === lines
    );
  }

  override get bitsPerKey(): number {
    return (this.filterLines * LINE * 8) / this.capacity;
  }

  /** The indices in use, in ascending order. */
  get indices(): number[] {
    return bitsIn(
      regionOf(this)
        .words()
        .subarray(this.#taken, this.#taken + this.#rowWords),
      this.filters,
    );
  }

  /** The indices of the filters that may hold the key, in ascending order. */
  which(key: Key): number[] {
    const { stage } = regionOf(this);
    hashKey(key, this.seed, stage);
    return this.#whichParts(stage.hashParts);
  }

  /** `which` for a key that was hashed before, by this or any filter of the same seed. */
  whichHash(hash: KeyHash): number[] {
    return this.#whichParts(hashParts(hash, this.seed));
  }

  #whichParts(hash: Int32Array): number[] {
    const { exports, at, handle } = regionOf(this);
    const kernel = exports as FrozenKernel;
    const answer = this.#answer;
    const [a, b, c, d] = [hash[0]!, hash[1]!, hash[2]!, hash[3]!];
    // On shared memory the answer would have no place that other threads do not write to.
    if (handle) for (let i = 0; i < answer.length; i++) answer[i] = kernel.whichWord(at, a, b, c, d, i);
    else kernel.which(at, a, b, c, d, KEYS_AT);
    return bitsIn(answer, this.filters);
  }

  /** Adds a key to filter `index`, which is in use from now on. True: the filter changed. */
  add(index: number, key: Key): boolean {
    const { stage } = this.#writable(index);
    hashKey(key, this.seed, stage);
    return this.#addParts(index, stage.hashParts, 0);
  }

  /** `add` for a key that was hashed before, by this or any filter of the same seed. */
  addHash(index: number, hash: KeyHash): boolean {
    this.#writable(index);
    return this.#addParts(index, hashParts(hash, this.seed), 0);
  }

  /** Adds many keys to filter `index` and returns how many changed it. */
  addMany(index: number, keys: Keys): number {
    const { stage } = this.#writable(index);
    checkKeys(keys);
    checkEachKey(keys);
    let changed = 0;
    eachHashedBatch(keys, this.seed, stage, (n) => {
      for (let i = 0; i < n; i++) if (this.#addParts(index, stage.hashes, i * 4)) changed++;
    });
    return changed;
  }

  #addParts(index: number, hashes: Int32Array, i: number): boolean {
    const { exports, at } = regionOf(this);
    const kernel = exports as FrozenKernel;
    return kernel.addHashAt(at, hashes[i]!, hashes[i + 1]!, hashes[i + 2]!, hashes[i + 3]!, index) !== 0;
  }

  /** Takes the lowest index that is not in use, for an empty filter. */
  create(): number {
    const { indices } = this;
    const gap = indices.findIndex((used, i) => used !== i);
    const index = gap < 0 ? indices.length : gap;
    if (index === this.filters) {
      throw new BloomlineError("ERR_MEMORY", `All ${index} places are taken. Drop a filter, or resize() to more.`);
    }
    this.#writable(index);
    Atomics.or(regionOf(this).words(), this.#taken + (index >>> 5), 1 << (index & 31));
    return index;
  }

  /** Empties filter `index`; it is no longer in use. */
  drop(index: number): void {
    this.#writable(index);
    this.#eachRow(index, () => false);
    Atomics.and(regionOf(this).words(), this.#taken + (index >>> 5), ~(1 << (index & 31)));
  }

  /**
   * Puts these keys, or a BloomFilter of the same size and seed, in the place of filter `index`. To have the old keys
   * found until the new ones are, `create` another filter, fill it, and `drop` the old one.
   */
  replace(index: number, by: Keys | BloomFilter): void {
    this.#writable(index);
    if (by instanceof BloomFilter) {
      this.#checkGeometry(by);
      this.#put(index, by);
      return;
    }
    // Apart, so that keys which turn out bad leave the filter as it was.
    const filter = this.#emptyFilter();
    try {
      filter.addMany(by);
      this.#put(index, filter);
    } finally {
      filter.dispose();
    }
  }

  #put(index: number, filter: BloomFilter): void {
    const bits = regionOf(filter).lines();
    Atomics.or(regionOf(this).words(), this.#taken + (index >>> 5), 1 << (index & 31));
    this.#eachRow(index, (row) => ((bits[row >>> 3]! >>> (row & 7)) & 1) === 1);
  }

  /** A BloomFilter as one of the bank's. */
  #emptyFilter(): BloomFilter {
    const { capacity, errorRate, seed, hashes, engine } = this;
    const parameters = { kind: BloomFilter.kind, capacity, errorRate, seed, hashes, lines: this.filterLines };
    return emptyFrom(BloomFilter, parameters, { engine });
  }

  /** A BloomFilter of its own with what filter `index` holds. */
  filter(index: number): BloomFilter {
    this.#checkIndex(index);
    const filter = this.#emptyFilter();
    const region = regionOf(filter);
    const bits = region.lines();
    const words = regionOf(this).words();
    let ones = 0;
    for (let row = 0, at = index >>> 5; at < this.#taken; row++, at += this.#rowWords) {
      if (!((words[at]! >>> (index & 31)) & 1)) continue;
      bits[row >>> 3]! |= 1 << (row & 7);
      ones++;
    }
    region.tally = ones;
    return filter;
  }

  /** A bank of so many places with the same filters, under the same indices. */
  resize(filters: number): FilterBank {
    checkPlaces(filters);
    checkBank(filters, this.filterLines);
    const last = this.indices.at(-1) ?? -1;
    if (last >= filters) {
      throw new RangeError(`filters is ${filters}; filter ${last} is in use. Drop it, or resize to more than ${last}.`);
    }
    const { capacity, errorRate, seed, hashes, engine, shared, filterLines } = this;
    const geometry = { lines: bankLines(filters, filterLines), detail: filters, detail2: filterLines };
    const parameters = { kind: KINDS.bank, capacity, errorRate, seed, hashes, ...geometry };
    const bank = emptyFrom(FilterBank, parameters, { engine, shared });
    const from = regionOf(this).words();
    const to = regionOf(bank).words();
    const common = Math.min(this.#rowWords, bank.#rowWords);
    for (let at = 0, put = 0; at <= this.#taken; at += this.#rowWords, put += bank.#rowWords) {
      to.set(from.subarray(at, at + common), put);
    }
    return bank;
  }

  /** Forgets every key of every filter, and that there were any. */
  clear(): void {
    regionOf(this).clear();
  }

  protected override tallyOf(digest: Digest): number {
    return digest.ones;
  }

  #checkIndex(index: number): void {
    if (!Number.isInteger(index) || index < 0 || index >= this.filters) {
      throw mustBe("index", index, `a whole number from 0 to ${this.filters - 1}`);
    }
  }

  /** Makes sure that filter `index` may be written to. */
  #writable(index: number): Region {
    const region = regionOf(this);
    region.checkWritable();
    this.#checkIndex(index);
    return region;
  }

  #checkGeometry({ lines, hashes, seed }: BloomFilter): void {
    if (lines === this.filterLines && hashes === this.hashes && seed === this.seed) return;
    throw new BloomlineError(
      "ERR_INCOMPATIBLE",
      `Cannot take a filter with lines ${lines}, hashes ${hashes}, seed ${seed}; those of the bank have lines ${this.filterLines}, hashes ${this.hashes}, seed ${this.seed}. Build it with the same options.`,
    );
  }

  /** Behind the rows of bits comes that of the places in use; where, in 32-bit words. */
  get #taken(): number {
    return this.filterLines * ROWS_PER_LINE * this.#rowWords;
  }

  /** Sets or clears the bit of filter `index` in every row. */
  #eachRow(index: number, isSet: (row: number) => boolean): void {
    const words = regionOf(this).words();
    const bit = 1 << (index & 31);
    for (let row = 0, at = index >>> 5; at < this.#taken; row++, at += this.#rowWords) {
      if (isSet(row)) Atomics.or(words, at, bit);
      else if (words[at]! & bit) Atomics.and(words, at, ~bit);
    }
  }
}

/** The numbers of the bits that are set, below `limit`: what is beyond belongs to no filter. */
function bitsIn(words: Int32Array, limit: number): number[] {
  const found: number[] = [];
  for (let i = 0; i < words.length; i++) {
    for (let word = words[i]!; word !== 0; word &= word - 1) {
      const index = i * 32 + 31 - Math.clz32(word & -word);
      if (index < limit) found.push(index);
    }
  }
  return found;
}
