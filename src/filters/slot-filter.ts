import type { Family } from "../engine/family.js";
import { ADD, DELETE, type DeletingKernel } from "../engine/kernel.js";
import { HASHES_AT, RESULTS_AT } from "../engine/layout.js";
import { BloomlineError, mustBe } from "../errors.js";
import type { Parameters } from "../format/header.js";
import { checkEachKey, checkKeys, eachHashedBatch, type Keys } from "../keys/batch.js";
import type { Key } from "../keys/key.js";
import { deleteHash } from "./delete-hash.js";
import type { KeyHash } from "./key-hash.js";
import {
  type EngineOptions,
  emptyFrom,
  type FilterClass,
  LineFilter,
  type ReadableFilter,
  regionOf,
} from "./line-filter.js";

/** What `add` does when the filter is full. */
export type OnFull = "throw" | "false";

export interface SlotFilterOptions extends EngineOptions {
  /** When the filter is full, `add` throws, or with "false" returns false; it throws unless given. */
  readonly onFull?: OnFull;
}

/**
 * A filter with a slot for each key, in which a fingerprint of it is kept: it can delete, and it can be full. It moves
 * fingerprints about, and a thread that asked meanwhile could miss one; so threads share it for reading only.
 */
export abstract class SlotFilter extends LineFilter {
  #onFull: OnFull;

  /** @internal */
  constructor(options: SlotFilterOptions, family: Family, parametersOf: () => Parameters) {
    super(options, family, () => {
      const parameters = parametersOf();
      if (options.shared === true) throw readOnly();
      return parameters;
    });
    const { onFull = "throw" } = options;
    if (onFull !== "throw" && onFull !== "false") throw mustBe("onFull", onFull, '"throw" or "false"', TypeError);
    this.#onFull = onFull;
  }

  /** The filter that `toBytes` wrote; `onFull` is not in the bytes and may be given anew. */
  static override fromBytes<T extends ReadableFilter>(
    this: FilterClass<T>,
    bytes: Uint8Array,
    options: SlotFilterOptions = {},
  ): T {
    return LineFilter.fromBytes.call(this, bytes, options) as T;
  }

  /** How many slots it has. */
  abstract get slots(): number;

  /** Counted anew: what was read may be anything. */
  protected override tallyOf(): number {
    const { stage, at, bytes } = regionOf(this.inPrivate());
    return (stage.kernel as DeletingKernel).census(at, at + bytes);
  }

  /** This very filter, or where threads share it a copy in private memory: there the kernel can walk over it. @internal */
  protected inPrivate(): this {
    if (!this.shared) return this;
    const copy = emptyFrom(this.constructor as FilterClass<this>, this.parameters, this.runtime);
    regionOf(copy).lines().set(regionOf(this).lines());
    return copy;
  }

  /** The options that are no matter of its bytes. @internal */
  protected get runtime(): SlotFilterOptions {
    return { engine: this.engine, onFull: this.#onFull };
  }

  /** How many keys are here: those added, less those deleted. */
  get count(): number {
    return regionOf(this).tally;
  }

  /** The share of slots that are full. */
  get fillRatio(): number {
    return this.count / this.slots;
  }

  /** Adds a key, once more if it is there already. True: it is in. False: with `onFull: "false"`, the filter is as before. */
  override add(key: Key): boolean {
    return this.act(key, ADD) || this.#full();
  }

  override addHash(hash: KeyHash): boolean {
    return super.addHash(hash) || this.#full();
  }

  /** Adds keys in their order up to the first for which there is no room, and returns how many. */
  override addMany(keys: Keys): number {
    checkKeys(keys);
    checkEachKey(keys);
    let added = 0;
    let isFull = false;
    eachHashedBatch(keys, this.seed, regionOf(this).stage, (n) => {
      if (isFull) return;
      const { kernel, at } = regionOf(this);
      const more = kernel.actHashes(at, HASHES_AT, n, RESULTS_AT, ADD);
      added += more;
      isFull = more < n;
    });
    if (isFull) this.#full(` Of the keys, the first ${added} are in.`);
    return added;
  }

  /** Takes a key away, once. False: it was certainly not here, and nothing has changed. */
  delete(key: Key): boolean {
    return this.act(key, DELETE) || this.#unchanged();
  }

  deleteHash(hash: KeyHash): boolean {
    return deleteHash(this, hash) || this.#unchanged();
  }

  override clear(): void {
    this.checkWritable();
    super.clear();
  }

  override clone(): this {
    const copy = super.clone();
    copy.#onFull = this.#onFull;
    return copy;
  }

  /** @internal */
  protected checkWritable(): void {
    if (this.shared) throw readOnly();
  }

  #unchanged(): false {
    this.checkWritable();
    return false;
  }

  #full(more = ""): false {
    this.checkWritable();
    if (this.#onFull === "false") return false;
    throw new BloomlineError(
      "ERR_FULL",
      `The filter is full: ${this.count} keys in ${this.slots} slots, made for ${this.capacity}.${more} Make a larger one, or delete keys first.`,
    );
  }
}

function readOnly(): BloomlineError {
  return new BloomlineError(
    "ERR_READONLY",
    "Threads share this kind of filter for reading only: one could miss a key that another moves. " +
      "Fill a private one, then fromBytes(filter.toBytes(), { shared: true }).",
  );
}
