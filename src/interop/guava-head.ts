// What BloomFilter.writeTo puts in front of the longs: strategy, k, number of longs (an int, big-endian).

import { BloomlineError, show } from "../errors.js";
import { ANEW } from "../format/header.js";
import { type GuavaSize, MAX_LONGS } from "../sizing/guava.js";

/** How Guava makes k positions of a hash, in the order of the ordinals that a file has. */
export const STRATEGIES = ["MURMUR128_MITZ_32", "MURMUR128_MITZ_64"] as const;

/** The first is the older one; Guava writes the second. */
export type GuavaStrategy = (typeof STRATEGIES)[number];

export const GUAVA_HEAD = 6;

export interface GuavaHead extends GuavaSize {
  readonly strategy: GuavaStrategy;
}

export function writeGuavaHead({ strategy, hashes, longs }: GuavaHead, bytes: Uint8Array): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  view.setUint8(0, STRATEGIES.indexOf(strategy));
  view.setUint8(1, hashes);
  view.setUint32(2, longs);
}

/** Reads and checks the first 6 of `total` bytes. Nothing is allocated before this has passed. */
export function readGuavaHead(bytes: Uint8Array, total: number): GuavaHead {
  if (!(bytes instanceof Uint8Array)) throw new TypeError(`bytes is ${show(bytes)}; it must be a Uint8Array.`);
  if (bytes.length < GUAVA_HEAD) {
    throw new BloomlineError("ERR_TRUNCATED", `Here are ${bytes.length} bytes; the head alone has 6. ${ANEW}`);
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const strategy = STRATEGIES[view.getUint8(0)];
  const hashes = view.getUint8(1);
  const longs = view.getInt32(2);
  if (!strategy) {
    throw new BloomlineError(
      "ERR_FOREIGN",
      `This is not what Guava's BloomFilter.writeTo writes: strategy ${view.getUint8(0)} is not one of 0 and 1.`,
    );
  }
  if (hashes < 1 || longs < 1) {
    throw new BloomlineError("ERR_CORRUPT", `No Guava writes such a head: k ${hashes}, ${longs} longs. ${ANEW}`);
  }
  const wanted = GUAVA_HEAD + longs * 8;
  if (total !== wanted) {
    throw new BloomlineError(
      total < wanted ? "ERR_TRUNCATED" : "ERR_CORRUPT",
      `Here are ${total} bytes; the head announces ${wanted}. ${ANEW}`,
    );
  }
  if (longs > MAX_LONGS) {
    throw new BloomlineError("ERR_MEMORY", `The filter has ${longs} longs; just under 4 GiB hold ${MAX_LONGS}.`);
  }
  return { strategy, hashes, longs };
}
