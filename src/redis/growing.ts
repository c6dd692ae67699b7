import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { BloomlineError, mustBe } from "../errors.js";
import type { BloomFilter } from "../filters/bloom-filter.js";
import * as KINDS from "../format/kinds.js";
import type { Key } from "../keys/key.js";
import { batchesOf } from "./batches.js";
import type { HashedKeys } from "./hashed-keys.js";
import { RefusedError } from "./layer-calls.js";
import type { Layers } from "./layers.js";
import { type Layer, type Layout, newest, nextLayer, type RemoteOptions } from "./layout.js";
import { loadLayout, makeShards, storeLayout } from "./layout-store.js";

// How a filter changes in Redis while others read and write it. One rule makes every step safe: whoever reads must know
// of a layer before anybody writes to it alone, and nobody may read a layer once writers leave it out. Each switch of
// the layout tells all shards before the next step begins, and a shard refuses whoever comes with an older layout.

/** Keys taken from a source at a time. */
const SOURCE_BATCH = 4096;

/** Keys from anywhere: an array, a database cursor, a stream. */
export type KeySource = Iterable<Key> | AsyncIterable<Key>;

export interface RotateOptions {
  /** How many windows are asked, the new one included; 2 unless given. */
  readonly windows?: number;
  /** How long a layer that was left stays for readers that are late; 5000 unless given. */
  readonly graceMs?: number;
}

export interface RebuildOptions {
  /** Of the new generation; those of the newest layer unless given. */
  readonly options?: Partial<RemoteOptions>;
  /** How long the old generation stays for readers that are late; 5000 unless given. */
  readonly graceMs?: number;
  /** Keys that the source must have given before the old generation may go; half of what it holds unless given. */
  readonly minimum?: number;
  /**
   * How long to wait before the source is read; 1000 unless given. Keys that others added just before, to the filter first
   * and to the source a moment later, must have arrived there.
   */
  readonly settleMs?: number;
  readonly onProgress?: (keys: number) => void;
}

export async function grow(layers: Layers, options: Partial<RemoteOptions>): Promise<void> {
  const layout = await layers.current();
  const capacity = newest(layout).parameters.capacity * 2;
  await addLayer(layers, layout, { capacity, ...options }, (all) => all);
}

export async function rotate(layers: Layers, { windows = 2, graceMs = 5000 }: RotateOptions): Promise<void> {
  if (!Number.isSafeInteger(windows) || windows < 1) throw mustBe("windows", windows, "1 or more");
  const layout = await layers.current();
  await addLayer(layers, { ...layout, windows }, {}, (all) => all.slice(-windows), graceMs);
}

async function addLayer(
  layers: Layers,
  layout: Layout,
  options: Partial<RemoteOptions>,
  keep: (all: Layer[]) => Layer[],
  graceMs?: number,
): Promise<void> {
  const { windows } = layout;
  // One that nobody writes to yet was left by a change that was cut short.
  let fresh = layout.layers.slice(layout.layers.indexOf(newest(layout))).find(({ write }) => !write);
  let now = layout;
  if (!fresh) {
    fresh = nextLayer(layout, options, { read: true, write: false });
    await makeShards(layers.connection, layout, fresh);
    now = await layers.switch(layout, { layers: [...layout.layers, fresh], windows });
  }
  const { id } = fresh;
  const changed = now.layers.map((layer) => ({ ...layer, write: layer.id === id }));
  await layers.switch(now, { layers: keep(changed), windows }, graceMs);
}

/** A layer that is only read, for lines of a geometry that no other layer has. */
export async function keepLayer(
  layers: Layers,
  { capacity, errorRate, seed, lines, hashes }: BloomFilter,
): Promise<Layer> {
  const layout = await layers.current();
  const parameters = { kind: KINDS.bloom, capacity, errorRate, seed, lines, hashes };
  const layer = { ...nextLayer(layout, {}, { read: true, write: false }), parameters };
  await makeShards(layers.connection, layout, layer);
  await layers.switch(layout, { layers: [...layout.layers, layer] });
  return layer;
}

/** `held`: about how many keys the filter holds now, as far as it is still there. */
export async function rebuild(
  layers: Layers,
  source: KeySource,
  held: number,
  hash: (keys: Key[]) => HashedKeys,
  { options = {}, graceMs = 5000, settleMs = 1000, minimum = Math.floor(held / 2), onProgress }: RebuildOptions,
): Promise<void> {
  const before = await loadLayout(layers.connection, layers.name);
  const { fresh, filling } = await beginGeneration(layers, before, options);
  try {
    await sleep(settleMs);
    const keys = await fill(layers, source, fresh, hash, onProgress);
    if (keys < minimum) {
      throw new BloomlineError(
        "ERR_INCOMPLETE",
        `The source gave ${keys} keys; at least ${minimum} are due before the old generation may go. Check the source, or give { minimum }.`,
      );
    }
  } catch (error) {
    const layout = await layers.current();
    const old = layout.layers.filter(({ id }) => id !== fresh.id);
    if (old.length > 0) await layers.switch(layout, { layers: old }, 1);
    throw error;
  }
  // Readers change over first; writers serve both until the last reader has.
  const both = filling.layers.map((layer) => ({ ...layer, read: layer.id === fresh.id }));
  const switched = await layers.switch(filling, { layers: both });
  await layers.switch(switched, { layers: both.filter(({ id }) => id === fresh.id) }, graceMs);
}

/** An empty layer that is written but not read. Where the filter is lost, it is the first of a new epoch. */
async function beginGeneration(
  layers: Layers,
  before: Layout | undefined,
  options: Partial<RemoteOptions>,
): Promise<{ fresh: Layer; filling: Layout }> {
  const { connection } = layers;
  const fresh = nextLayer(before ?? layers.layout, options, { read: false, write: true });
  if (before) {
    layers.take(before);
    await makeShards(connection, before, fresh);
    return { fresh, filling: await layers.switch(before, { layers: [...before.layers, fresh] }) };
  }
  const filling = { ...layers.layout, epoch: randomUUID(), number: 1, layers: [fresh] };
  await makeShards(connection, filling, fresh);
  if (!(await storeLayout(connection, undefined, filling))) {
    throw new BloomlineError("ERR_CONFLICT", `Somebody else is making ${layers.name} anew. Wait, and reopen() it.`);
  }
  layers.take(filling);
  return { fresh, filling };
}

async function fill(
  layers: Layers,
  source: KeySource,
  layer: Layer,
  hash: (keys: Key[]) => HashedKeys,
  onProgress?: (keys: number) => void,
): Promise<number> {
  let total = 0;
  for await (const keys of batchesOf(source, SOURCE_BATCH)) {
    const hashed = hash(keys);
    const refusal = await layers.following((layout) =>
      layers.write(layout, [layer], hashed, new Uint8Array(keys.length)),
    );
    if (refusal) throw new RefusedError(layers.name, refusal);
    total += keys.length;
    onProgress?.(total);
  }
  return total;
}
