import type { FilterHandle } from "../engine/handle.js";
import type { EngineKind } from "../engine/instance.js";
import { BloomlineError, show } from "../errors.js";
import { disposeSymbol } from "../filters/disposed.js";
import type { KeyHash } from "../filters/key-hash.js";
import type { EngineOptions } from "../filters/line-filter.js";
import { checkKeys, countOf, type Keys } from "../keys/batch.js";
import { guavaSizeFor } from "../sizing/guava.js";
import { type CountedValues, checkFunnel, type Funnel, keysOf, portions, type Values } from "./funnels.js";
import { GuavaBits } from "./guava-bits.js";
import { GUAVA_HEAD, type GuavaStrategy, readGuavaHead, STRATEGIES, writeGuavaHead } from "./guava-head.js";

export interface GuavaOptions extends EngineOptions {
  /** MURMUR128_MITZ_64 unless given; the other is what Guava wrote before. */
  readonly strategy?: GuavaStrategy;
  /** k = round(m/n · ln 2), "bits", unless given; newer versions of Guava have round(−log2 fpp), "fpp". */
  readonly hashesFrom?: "bits" | "fpp";
}

/**
 * Guava's BloomFilter: the same answers, down to the last false positive, and the same bytes. It has the methods of the
 * Java class and those of every bloomline filter.
 */
export class GuavaBloomFilter<T> {
  #bits: GuavaBits;

  private constructor(
    bits: GuavaBits,
    readonly funnel: Funnel<T>,
  ) {
    this.#bits = bits;
  }

  /** An empty filter, sized as Guava sizes it; fpp is 0.03 unless given. */
  static create<T>(
    funnel: Funnel<T>,
    expectedInsertions: number | bigint,
    fpp = 0.03,
    { strategy = "MURMUR128_MITZ_64", hashesFrom = "bits", ...options }: GuavaOptions = {},
  ): GuavaBloomFilter<T> {
    checkFunnel(funnel);
    if (!STRATEGIES.includes(strategy)) {
      throw new TypeError(`strategy is ${show(strategy)}; it must be one of ${STRATEGIES.join(", ")}.`);
    }
    const n = typeof expectedInsertions === "bigint" ? Number(expectedInsertions) : expectedInsertions;
    const head = { ...guavaSizeFor(n, fpp, hashesFrom), strategy };
    return new GuavaBloomFilter(new GuavaBits({ ...options, head, capacity: Math.max(1, n), errorRate: fpp }), funnel);
  }

  /** A filter of the given values, sized for their number unless expectedInsertions says otherwise. */
  static from<T>(
    values: Values<T>,
    funnel: Funnel<T>,
    options: GuavaOptions & { readonly expectedInsertions?: number; readonly fpp?: number } = {},
  ): GuavaBloomFilter<T> {
    checkKeys(values);
    const all = countedValues(values);
    const { expectedInsertions = countOf(all as Keys as never), fpp, ...others } = options;
    const filter = GuavaBloomFilter.create(funnel, expectedInsertions, fpp, others);
    filter.addMany(all as Values<T>);
    return filter;
  }

  /** The filter that BloomFilter.writeTo wrote. The bytes hold neither funnel nor expectedInsertions nor fpp. */
  static fromBytes<T>(bytes: Uint8Array, funnel: Funnel<T>, options: EngineOptions = {}): GuavaBloomFilter<T> {
    checkFunnel(funnel);
    const bits = new GuavaBits({ ...options, head: readGuavaHead(bytes, bytes?.length) });
    bits.data().set(bytes.subarray(GUAVA_HEAD));
    bits.recount();
    return new GuavaBloomFilter(bits, funnel);
  }

  /**
   * The same from a stream, say a file's, of which `byteLength` bytes are to come: they go straight to where they stay,
   * so that the filter is in memory once.
   */
  static async fromStream<T>(
    stream: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
    byteLength: number,
    funnel: Funnel<T>,
    options: EngineOptions = {},
  ): Promise<GuavaBloomFilter<T>> {
    checkFunnel(funnel);
    let start = new Uint8Array(0);
    let bits: GuavaBits | undefined;
    let at = 0;
    const lay = (piece: Uint8Array) => {
      const data = (bits as GuavaBits).data();
      if (at + piece.length > data.length) throw wrongLength("ERR_CORRUPT", GUAVA_HEAD + at + piece.length, byteLength);
      data.set(piece, at);
      at += piece.length;
    };
    try {
      for await (const piece of stream) {
        if (bits) {
          lay(piece);
          continue;
        }
        start = joined(start, piece);
        if (start.length < GUAVA_HEAD) continue;
        bits = new GuavaBits({ ...options, head: readGuavaHead(start, byteLength) });
        lay(start.subarray(GUAVA_HEAD));
      }
      if (!bits) bits = new GuavaBits({ ...options, head: readGuavaHead(start, start.length) });
      if (at < bits.longs * 8) throw wrongLength("ERR_TRUNCATED", GUAVA_HEAD + at, byteLength);
    } catch (error) {
      bits?.dispose();
      throw error;
    }
    bits.recount();
    return new GuavaBloomFilter(bits, funnel);
  }

  /** The filter behind a handle from another thread: the same bits, not a copy. */
  static attach<T>(
    handle: FilterHandle,
    funnel: Funnel<T>,
    options: { readonly readonly?: boolean } = {},
  ): GuavaBloomFilter<T> {
    checkFunnel(funnel);
    return new GuavaBloomFilter(GuavaBits.attach(handle, options), funnel);
  }

  // As in Java.

  /** Adds a value. True: at least one bit was new. */
  put(value: T): boolean {
    return this.#bits.add(this.funnel.toKey(value));
  }

  mightContain(value: T): boolean {
    return this.#bits.has(this.funnel.toKey(value));
  }

  /** Adds all that a compatible filter holds. */
  putAll(other: GuavaBloomFilter<T>): void {
    this.merge(other);
  }

  /** The chance that a stranger is taken for a member now. */
  expectedFpp(): number {
    return this.fillRatio ** this.hashes;
  }

  /** About how many distinct values were added; Infinity once every bit is set, where Java throws. */
  approximateElementCount(): number {
    return this.#bits.count;
  }

  copy(): GuavaBloomFilter<T> {
    return new GuavaBloomFilter(this.#bits.clone(), this.funnel);
  }

  /** Whether the two can be merged: same strategy, size, k and funnel. */
  isCompatible(other: GuavaBloomFilter<T>): boolean {
    return other instanceof GuavaBloomFilter && this.funnel === other.funnel && this.#bits.isCompatible(other.#bits);
  }

  // As in every filter.

  add(value: T): boolean {
    return this.put(value);
  }

  has(value: T): boolean {
    return this.mightContain(value);
  }

  /** Adds many values and returns how many changed the filter. */
  addMany(values: Values<T>): number {
    checkKeys(values);
    let changed = 0;
    for (const portion of portions(values)) changed += this.#bits.addMany(keysOf(portion, this.funnel));
    return changed;
  }

  /** Asks for many values: 1 or 0 for each, in `out` if given. */
  hasMany(values: Values<T>, out?: Uint8Array): Uint8Array {
    checkKeys(values);
    return this.#bits.hasMany(keysOf(countedValues(values), this.funnel), out);
  }

  /** Hashes a value once, for filters with the same funnel, or the hash's seed 0. */
  hash(value: T): KeyHash {
    return this.#bits.hash(this.funnel.toKey(value));
  }

  hasHash(hash: KeyHash): boolean {
    return this.#bits.hasHash(hash);
  }

  addHash(hash: KeyHash): boolean {
    return this.#bits.addHash(hash);
  }

  /** Adds all that the other filter holds. */
  merge(other: GuavaBloomFilter<T>): this {
    this.#bits.merge(this.#compatible(other, "merge"));
    return this;
  }

  /** Keeps only bits that the other filter has too. */
  intersect(other: GuavaBloomFilter<T>): this {
    this.#bits.intersect(this.#compatible(other, "intersect"));
    return this;
  }

  #compatible(other: GuavaBloomFilter<T>, how: string): GuavaBits {
    if (this.isCompatible(other)) return other.#bits;
    throw new BloomlineError(
      "ERR_INCOMPATIBLE",
      `Cannot ${how}: this is ${describe(this)}, the other is ${describe(other)}. Both need the same of each.`,
    );
  }

  clone(): GuavaBloomFilter<T> {
    return this.copy();
  }

  /** Compatible, and the same bits. */
  equals(other: GuavaBloomFilter<T>): boolean {
    return this.isCompatible(other) && this.#bits.equals(other.#bits);
  }

  clear(): void {
    this.#bits.clear();
  }

  /** What BloomFilter.readFrom reads. */
  toBytes(): Uint8Array<ArrayBuffer> {
    const data = this.#bits.data();
    const bytes = new Uint8Array(GUAVA_HEAD + data.length);
    writeGuavaHead(this.#bits, bytes);
    bytes.set(data, GUAVA_HEAD);
    return bytes;
  }

  /** What another thread needs to attach this very filter; needs { shared: true }. */
  share(): FilterHandle {
    return this.#bits.share();
  }

  dispose(): void {
    this.#bits.dispose();
  }

  [disposeSymbol](): void {
    this.dispose();
  }

  get strategy(): GuavaStrategy {
    return this.#bits.strategy;
  }

  /** m: how many bits there are. */
  get bitSize(): number {
    return this.#bits.bits;
  }

  /** k: positions per value. */
  get hashes(): number {
    return this.#bits.hashes;
  }

  /** What it was made for; of a filter from bytes, what its m and k are best for. */
  get capacity(): number {
    return this.#bits.capacity;
  }

  get errorRate(): number {
    return this.#bits.errorRate;
  }

  get seed(): bigint {
    return this.#bits.seed;
  }

  /** Bytes of its longs. */
  get byteLength(): number {
    return this.#bits.longs * 8;
  }

  get bitsPerKey(): number {
    return this.bitSize / this.capacity;
  }

  get count(): number {
    return this.#bits.count;
  }

  get fillRatio(): number {
    return this.#bits.fillRatio;
  }

  get currentErrorRate(): number {
    return this.expectedFpp();
  }

  get engine(): EngineKind {
    return this.#bits.engine;
  }

  get shared(): boolean {
    return this.#bits.shared;
  }
}

function countedValues<T>(values: Values<T>): CountedValues<T> {
  const all = [...portions(values)];
  return all.length === 1 ? (all[0] as CountedValues<T>) : (all as T[][]).flat();
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}

function wrongLength(code: "ERR_TRUNCATED" | "ERR_CORRUPT", got: number, wanted: number): BloomlineError {
  return new BloomlineError(code, `The stream had ${got} bytes; ${wanted} were announced. Fetch the filter anew.`);
}

function describe(filter: unknown): string {
  if (!(filter instanceof GuavaBloomFilter)) return show(filter);
  const { strategy, bitSize, hashes, funnel } = filter;
  return `${strategy}, bits ${bitSize}, k ${hashes}, funnel ${funnel.name}`;
}
