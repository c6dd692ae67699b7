// The geometry of binary fuse filters, from Graf and Lemire, "Binary Fuse Filters: Fast and Smaller Than Xor Filters"
// (2022): the segments as long, and the slots as few, as peeling allows with near certainty.

/** Slots that a key owns. */
export type FuseHashes = 3 | 4;

export interface FuseSize {
  /** log2 of the slots in a segment. */
  readonly segmentBits: number;
  /** Where a first position may lie: whole segments. */
  readonly range: number;
  readonly slots: number;
}

/** The offsets are 18 bits of the hash. */
export const MAX_SEGMENT_BITS = 18;

function segmentBitsFor(keys: number, hashes: FuseHashes): number {
  if (keys < 2) return 2;
  const log = Math.log(keys);
  const bits = hashes === 3 ? log / Math.log(3.33) + 2.25 : log / Math.log(2.91) - 0.5;
  return Math.min(Math.max(Math.floor(bits), 2), MAX_SEGMENT_BITS);
}

/** Slots per key: 1.125 or 1.075 for many, more for few. */
function slotsPerKey(keys: number, hashes: FuseHashes): number {
  if (keys < 2) return 1;
  const log = Math.log(keys);
  return hashes === 3
    ? Math.max(1.125, 0.875 + (0.25 * Math.log(1e6)) / log)
    : Math.max(1.075, 0.77 + (0.305 * Math.log(6e5)) / log);
}

/** The slots for so many distinct keys. */
export function fuseSizeFor(keys: number, hashes: FuseHashes): FuseSize {
  const segmentBits = segmentBitsFor(keys, hashes);
  const segment = 2 ** segmentBits;
  const segments = Math.max(Math.ceil((keys * slotsPerKey(keys, hashes)) / segment), hashes);
  return { segmentBits, range: (segments - hashes + 1) * segment, slots: segments * segment };
}

/** As many slots as so many keys, or fewer, can need: rounding to segments is all that is not monotonous. */
export function mostSlotsFor(keys: number, hashes: FuseHashes): number {
  const { slots, segmentBits } = fuseSizeFor(keys, hashes);
  return slots + 2 ** segmentBits;
}
