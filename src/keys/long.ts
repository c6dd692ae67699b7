import type { Instance } from "../engine/instance.js";
import { HASH_AT, KEYS_AT, KEYS_SIZE } from "../engine/layout.js";
import { encodeString } from "./door.js";

/** Pieces are hashed in multiples of the hash's 16-byte block. */
const PIECE = KEYS_SIZE - (KEYS_SIZE % 16);
const MAX_KEY = 2 ** 32 - 1;

/** Hashes a key too long for the staging area, piece by piece, and leaves the hash in instance.hash. */
export function hashLong(key: string | Uint8Array, seed: bigint, instance: Instance): void {
  const bytes = typeof key === "string" ? encodeString(key) : key;
  if (bytes.length > MAX_KEY) {
    throw new RangeError(
      `key has ${bytes.length} bytes; a key may have up to ${MAX_KEY}. Use a digest of it as the key.`,
    );
  }
  const { kernel, keys, hash } = instance;
  hash.fill(seed);
  let at = 0;
  for (; bytes.length - at > PIECE; at += PIECE) {
    keys.set(bytes.subarray(at, at + PIECE));
    kernel.hashBlocks(HASH_AT, KEYS_AT, PIECE);
  }
  keys.set(bytes.subarray(at));
  kernel.hashEnd(HASH_AT, KEYS_AT, bytes.length - at, bytes.length);
}
