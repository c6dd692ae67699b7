import type { EngineKind } from "../engine/instance.js";
import { HAS } from "../engine/kernel.js";
import { HASHES_AT, RESULTS_AT } from "../engine/layout.js";
import { show } from "../errors.js";
import { disposedRegion, disposeSymbol } from "../filters/disposed.js";
import { counted, countOf } from "../keys/batch.js";
import { joinDump, writeChunks } from "./chunks.js";
import { checkedItems, eachHashedItems, type Hashing, hashItem, type Item, type Items } from "./items.js";
import type { Layer } from "./layer.js";

/** What a Redis server keeps as a chain of layers: an item is there if any layer says so. */
export abstract class LayeredDump {
  /** Oldest first. */
  protected parts: Layer[];

  protected constructor(
    protected readonly hashing: Hashing,
    layers: Layer[],
  ) {
    this.parts = layers;
  }

  /** The first chunk. */
  protected abstract header(): Uint8Array;

  /** Items are staged and hashed beside the newest layer. */
  protected get newest(): Layer {
    return this.parts[this.parts.length - 1] as Layer;
  }

  /** As BF.EXISTS and CF.EXISTS answer. */
  has(item: Item): boolean {
    const { stage } = this.newest;
    hashItem(item, this.hashing, stage);
    return this.hasParts(stage.hashParts);
  }

  protected hasParts(hash: Int32Array): boolean {
    const { parts } = this;
    for (let i = parts.length; i-- > 0; ) {
      const { kernel, at } = parts[i] as Layer;
      if (kernel.actHash(at, hash[0]!, hash[1]!, hash[2]!, hash[3]!, HAS)) return true;
    }
    return false;
  }

  /** As BF.MEXISTS and CF.MEXISTS answer: 1 or 0 for each item, in `out` if given, which must be long enough. */
  hasMany(items: Items, out?: Uint8Array): Uint8Array {
    const { stage } = this.newest;
    const all = counted(checkedItems(items));
    const count = countOf(all);
    const answers = out ?? new Uint8Array(count);
    if (!(answers instanceof Uint8Array)) throw new TypeError(`out is ${show(out)}; it must be a Uint8Array.`);
    if (answers.length < count) {
      throw new RangeError(`out has ${answers.length} places for ${count} items. Give a longer one, or none.`);
    }
    let done = 0;
    eachHashedItems(all as Items, this.hashing, stage, (n) => {
      askLayers(this.parts, stage.hashes, answers.subarray(done, done + n));
      done += n;
    });
    return answers;
  }

  /** What LOADCHUNK takes, in this order. */
  chunks(): Generator<[iterator: number, data: Uint8Array]> {
    return writeChunks(this.header(), this.parts);
  }

  /** All chunks end to end, for a file. */
  toBytes(): Uint8Array<ArrayBuffer> {
    return joinDump(this.header(), this.parts);
  }

  get engine(): EngineKind {
    return this.newest.stage.kind;
  }

  /** Gives the memory back at once. Any later use is an error. */
  dispose(): void {
    if (this.parts === disposedParts) return;
    for (const layer of this.parts) layer.dispose();
    this.parts = disposedParts;
  }

  [disposeSymbol](): void {
    this.dispose();
  }
}

const disposedParts = disposedRegion as unknown as Layer[];

/** Asks every layer for a batch of hashes; an answer is 1 where any layer says so. */
function askLayers(layers: readonly Layer[], hashes: Int32Array, answers: Uint8Array): void {
  const n = answers.length;
  answers.fill(0);
  for (const { stage, kernel, at } of layers) {
    if (stage.hashes !== hashes) stage.hashes.set(hashes.subarray(0, n * 4));
    kernel.actHashes(at, HASHES_AT, n, RESULTS_AT, HAS);
    for (let i = 0; i < n; i++) answers[i]! |= stage.results[i]!;
  }
}
