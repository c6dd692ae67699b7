import type { Instance } from "../engine/instance.js";
import { HASH_AT, KEYS_AT, KEYS_SIZE } from "../engine/layout.js";
import { encodeString, stageBytes, stageString } from "./door.js";
import { checkKey, type Key } from "./key.js";

/** Pieces are hashed in multiples of the hash's 16-byte block. */
const PIECE = KEYS_SIZE - (KEYS_SIZE % 16);
const MAX_KEY = 2 ** 32 - 1;

let latest: bigint | undefined;
let halves: [low: number, high: number];

/** The two halves of a seed, for the kernel. Taking a bigint apart costs more than hashing a key, so the latest are kept. */
export function seedHalves(seed: bigint): [low: number, high: number] {
  if (seed !== latest) halves = [Number((latest = seed) & 0xffffffffn), Number(seed >> 32n)];
  return halves;
}

/** Hashes a key and leaves the hash in stage.hash. */
export function hashKey(key: Key, seed: bigint, stage: Instance): void {
  checkKey(key);
  let length = 8;
  if (typeof key === "string") length = stageString(key, stage);
  else if (typeof key === "object") length = stageBytes(key, stage);
  else stage.longs[0] = BigInt(key);
  if (length >= 0) stage.kernel.hash(KEYS_AT, length, ...seedHalves(seed), HASH_AT);
  else hashLong(key as string | Uint8Array, seed, stage);
}

/** The same for a key too long for the staging area, piece by piece. */
export function hashLong(key: string | Uint8Array, seed: bigint, { kernel, keys, hash }: Instance): void {
  const bytes = typeof key === "string" ? encodeString(key) : key;
  if (bytes.length > MAX_KEY) {
    throw new RangeError(`key has ${bytes.length} bytes, of ${MAX_KEY} at most. Use a digest of it.`);
  }
  hash.fill(seed);
  for (let at = 0; at < bytes.length; at += PIECE) {
    const piece = bytes.subarray(at, at + PIECE);
    keys.set(piece);
    kernel.hashPiece(HASH_AT, KEYS_AT, piece.length);
  }
  kernel.hashEnd(HASH_AT, bytes.length);
}
