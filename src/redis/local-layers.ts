import { ADD } from "../engine/kernel.js";
import { BATCH, HASHES_AT, RESULTS_AT } from "../engine/layout.js";
import type { BloomFilter } from "../filters/bloom-filter.js";
import { regionOf } from "../filters/line-filter.js";
import { counted, countOf, type Keys } from "../keys/batch.js";
import { hashKey } from "../keys/hash.js";
import type { Key } from "../keys/key.js";
import type { DirtyLines } from "./dirty-lines.js";
import { HASH_WORDS, HashedKeys } from "./hashed-keys.js";
import type { Ring } from "./ring.js";

/** The local copy of a layer. */
export interface LocalLayer {
  readonly id: string;
  readonly read: boolean;
  readonly write: boolean;
  readonly filter: BloomFilter;
  readonly dirty: DirtyLines;
}

/** Local copies of a filter's layers, and the ring through which new keys leave. One for each thread. */
export class LocalLayers {
  #layers: readonly LocalLayer[] = [];
  #readable: readonly BloomFilter[] = [];
  #writable: readonly LocalLayer[] = [];
  /** Most filters have one layer, and need no loop. */
  #only: BloomFilter | undefined;

  constructor(
    private readonly seed: bigint,
    readonly ring: Ring,
    layers: readonly LocalLayer[],
  ) {
    this.layers = layers;
  }

  get layers(): readonly LocalLayer[] {
    return this.#layers;
  }

  set layers(layers: readonly LocalLayer[]) {
    this.#layers = layers;
    this.#readable = layers.filter(({ read }) => read).map(({ filter }) => filter);
    this.#writable = layers.filter(({ write }) => write);
    this.#only = this.#readable.length === 1 ? this.#readable[0] : undefined;
  }

  /** Whether there is anything to ask. */
  get readable(): boolean {
    return this.#readable.length > 0;
  }

  has(key: Key): boolean {
    if (this.#only) return this.#only.has(key);
    return this.#readable.some((filter) => filter.has(key));
  }

  hasMany(keys: Keys): Uint8Array {
    const all = counted(keys);
    const [first = new Uint8Array(countOf(all)), ...others] = this.#readable.map((filter) => filter.hasMany(all));
    for (const other of others) for (let i = 0; i < other.length; i++) first[i]! |= other[i]!;
    return first;
  }

  /** Here at once, and into the ring; where that is full, its lines are remembered instead. */
  addMany(keys: Keys): number {
    const { stage } = regionOf(this.#writable[0]!.filter);
    const hashed = HashedKeys.of(keys, this.seed, stage);
    const changed = new Uint8Array(hashed.count);
    for (const { filter } of this.#writable) addHashed(filter, hashed, changed);
    for (let i = 0; i < hashed.count; i++) this.#send(hashed, i);
    return changed.reduce((sum, one) => sum + one, 0);
  }

  add(key: Key): boolean {
    const { stage } = regionOf(this.#writable[0]!.filter);
    hashKey(key, this.seed, stage);
    const [low1, high1, low2, high2] = stage.hashParts as unknown as [number, number, number, number];
    let changed = 0;
    for (const { filter } of this.#writable) {
      const region = regionOf(filter);
      changed |= region.kernel.actHash(region.at, low1, high1, low2, high2, ADD);
    }
    this.#send(new HashedKeys(Uint32Array.of(high1, low2, high2)), 0);
    return changed !== 0;
  }

  #send(keys: HashedKeys, i: number): void {
    const at = i * HASH_WORDS;
    if (this.ring.put(keys.words[at]!, keys.words[at + 1]!, keys.words[at + 2]!)) return;
    for (const { filter, dirty } of this.#writable) dirty.mark(keys.lineOf(i, filter.lines));
  }
}

/** Adds keys that are hashed already, and marks in `changed` those that changed the filter. */
export function addHashed(filter: BloomFilter, keys: HashedKeys, changed?: Uint8Array): void {
  const { stage, kernel, at } = regionOf(filter);
  const { hashes, results } = stage;
  for (let from = 0; from < keys.count; from += BATCH) {
    const n = Math.min(BATCH, keys.count - from);
    for (let i = 0; i < n; i++) {
      const word = (from + i) * HASH_WORDS;
      hashes[i * 4] = 0;
      hashes[i * 4 + 1] = keys.words[word]!;
      hashes[i * 4 + 2] = keys.words[word + 1]!;
      hashes[i * 4 + 3] = keys.words[word + 2]!;
    }
    kernel.actHashes(at, HASHES_AT, n, RESULTS_AT, ADD);
    if (changed) for (let i = 0; i < n; i++) if (results[i]) changed[from + i] = 1;
  }
}
