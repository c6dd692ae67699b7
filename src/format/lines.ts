import type { Instance } from "../engine/instance.js";
import { HEAD, KEYS_AT, KEYS_SIZE, LINE } from "../engine/layout.js";
import type { Region } from "../engine/region.js";
import { Digest } from "./digest.js";

/** What passes through the staging area at a time. */
export const PIECE = KEYS_SIZE - (KEYS_SIZE % LINE);

/**
 * Copies lines to `out` and digests the very bytes it copied: by way of the staging area, because on shared memory other
 * threads may set bits at the same time.
 */
export function copyLines(region: Region, from: number, out: Uint8Array, digest: Digest): void {
  for (let at = 0; at < out.length; at += PIECE) {
    out.set(digestPiece(region, from + at, Math.min(PIECE, out.length - at), digest), at);
  }
}

/** Digests all lines, yielding now and then. */
export function* digestLines(region: Region, digest: Digest): Generator<number, void> {
  const total = region.bytes - HEAD;
  for (let at = 0; at < total; at += PIECE) {
    digestPiece(region, at, Math.min(PIECE, total - at), digest);
    yield at;
  }
}

/** Digests lines by way of the staging area, and returns them as they lie there. */
function digestPiece(region: Region, from: number, length: number, digest: Digest): Uint8Array {
  const { keys } = region.stage;
  keys.set(region.lines().subarray(from, from + length));
  digest.update(KEYS_AT, length);
  return keys.subarray(0, length);
}

/** The checksum of bytes that lie anywhere, their length a multiple of 64. */
export function checksumOf(bytes: Uint8Array, stage: Instance): bigint {
  const digest = new Digest(stage);
  for (let at = 0; at < bytes.length; at += PIECE) {
    const piece = bytes.subarray(at, at + PIECE);
    stage.keys.set(piece);
    digest.update(KEYS_AT, piece.length);
  }
  return digest.checksum();
}
