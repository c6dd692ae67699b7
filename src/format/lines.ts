import { KEYS_AT, KEYS_SIZE, LINE } from "../engine/layout.js";
import type { Region } from "../engine/region.js";
import { BloomlineError } from "../errors.js";
import { Digest } from "./digest.js";
import type { Header } from "./header.js";

/** What passes through the staging area at a time. */
const PIECE = KEYS_SIZE - (KEYS_SIZE % LINE);

/** What a checksum takes at a time, so that progress can be shown. */
const STRIDE = 1 << 20;

/**
 * Copies lines to `out` and digests the very bytes it copied: by way of the staging area, because on shared memory other
 * threads may set bits at the same time.
 */
export function copyLines(region: Region, from: number, out: Uint8Array, digest: Digest): void {
  const { keys } = region.instance;
  const lines = region.lines();
  for (let at = 0; at < out.length; at += PIECE) {
    const piece = lines.subarray(from + at, from + Math.min(at + PIECE, out.length));
    keys.set(piece);
    digest.update(KEYS_AT, piece.length);
    out.set(keys.subarray(0, piece.length), at);
  }
}

/** Digests lines that were just read into memory, and compares with what their header says. Yields after each stride. */
export function* verifyLines(region: Region, header: Header): Generator<number, void> {
  const digest = new Digest(region.instance);
  const length = region.lines().length;
  for (let at = 0; at < length; at += STRIDE) {
    digest.update(region.linesAt() + at, Math.min(STRIDE, length - at));
    yield at;
  }
  if (digest.checksum() !== header.checksum || digest.ones !== header.ones) {
    throw new BloomlineError(
      "ERR_CORRUPT",
      "The checksum of the lines does not match: bits were changed since the filter was saved. Fetch or build it anew.",
    );
  }
}
