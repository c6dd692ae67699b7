import { KEYS_AT, KEYS_SIZE, LINE } from "../engine/layout.js";
import type { Region } from "../engine/region.js";
import { BloomlineError } from "../errors.js";
import { Digest } from "./digest.js";
import { ANEW, type Header } from "./header.js";

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

/** Digests lines that were just read into memory, and compares with what their header says. Yields now and then. */
export function* verifyLines(region: Region, header: Header): Generator<number, void> {
  const digest = new Digest(region.stage);
  const total = header.lines * LINE;
  for (let at = 0; at < total; at += PIECE) {
    digestPiece(region, at, Math.min(PIECE, total - at), digest);
    yield at;
  }
  if (digest.checksum() !== header.checksum || digest.ones !== header.ones) {
    throw new BloomlineError("ERR_CORRUPT", `The checksum of the lines does not match: they were damaged. ${ANEW}`);
  }
  region.ones = header.ones;
}

/** Digests lines by way of the staging area, and returns them as they lie there. */
function digestPiece(region: Region, from: number, length: number, digest: Digest): Uint8Array {
  const { keys } = region.stage;
  keys.set(region.lines().subarray(from, from + length));
  digest.update(KEYS_AT, length);
  return keys.subarray(0, length);
}
