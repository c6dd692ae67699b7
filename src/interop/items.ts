// From Redis items to hashes.

import { backendFor } from "#backends";
import { foreign } from "../engine/families/foreign.js";
import type { Instance } from "../engine/instance.js";
import type { ForeignKernel } from "../engine/kernel.js";
import { HASH_AT, HASHES_AT, KEYS_AT, OFFSETS_AT, pagesFor, SCRATCH } from "../engine/layout.js";
import { show } from "../errors.js";
import { checkKeys, eachBatch, isIntegers, isPacked, type PackedKeys } from "../keys/batch.js";
import { encodeString, stageBytes, stageString } from "../keys/door.js";

/** What Redis can have as an item: bytes. A string is its UTF-8 bytes. */
export type Item = string | Uint8Array;

export type Items = Iterable<Item> | PackedKeys;

/** How items are hashed, as the kernel numbers it. */
export const HASHINGS = { bloom64: 0, bloom32: 1, cuckoo: 2 } as const;
export type Hashing = (typeof HASHINGS)[keyof typeof HASHINGS];

/** A client sends the number 5 as the text "5"; bloomline's own filters hash 8 bytes. Rather than guess, refuse. */
function checkItem(item: unknown, index?: number): asserts item is Item {
  if (typeof item === "string" || item instanceof Uint8Array) return;
  const name = index === undefined ? "item" : `items[${index}]`;
  throw new TypeError(
    `${name} is ${show(item)}; an item must be a string or a Uint8Array. Redis clients send a number as String(number).`,
  );
}

/** Hashes an item and leaves the hash in stage.hash. */
export function hashItem(item: Item, how: Hashing, stage: Instance): void {
  checkItem(item);
  const length = typeof item === "string" ? stageString(item, stage) : stageBytes(item, stage);
  if (length >= 0) (stage.kernel as ForeignKernel).hashItem(KEYS_AT, length, how, HASH_AT);
  else hashLongItem(item, how, stage);
}

/** This hash begins with the length and is taken twice, so an item cannot come in pieces: it gets room of its own. */
function hashLongItem(item: Item, how: Hashing, stage: Instance): void {
  const bytes = typeof item === "string" ? encodeString(item) : item;
  const room = backendFor(foreign, stage.kind).instantiate(pagesFor(SCRATCH + bytes.length));
  new Uint8Array(room.buffer, SCRATCH).set(bytes);
  (room.kernel as ForeignKernel).hashItem(SCRATCH, bytes.length, how, HASH_AT);
  stage.hash.set(room.hash);
}

/** Hashes all items, batch by batch, into stage.hashes; `take` gets how many there are now. */
export function eachHashedItems(items: Items, how: Hashing, stage: Instance, take: (n: number) => void): void {
  const kernel = stage.kernel as ForeignKernel;
  eachBatch(items, stage, {
    bytes(base, n) {
      kernel.hashItems(base, OFFSETS_AT, n, how, HASHES_AT);
      take(n);
    },
    ints() {
      throw new TypeError("items are numbers; give strings or Uint8Arrays.");
    },
    long(item) {
      hashLongItem(item, how, stage);
      stage.hashes.set(stage.hashParts);
      take(1);
    },
  });
}

/** Rejects what is not many items; the same items, checked as they are read. */
export function checkedItems(items: Items): readonly Item[] | PackedKeys | Iterable<Item> {
  checkKeys(items);
  if (isPacked(items)) return items;
  if (isIntegers(items)) checkItem((items as Iterable<unknown>)[Symbol.iterator]().next().value ?? 0, 0);
  if (!Array.isArray(items)) return eachChecked(items);
  items.forEach(checkItem);
  return items;
}

function* eachChecked(items: Iterable<Item>): Generator<Item> {
  let index = 0;
  for (const item of items) {
    checkItem(item, index++);
    yield item;
  }
}
