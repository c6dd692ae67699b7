// The 64 bytes in front of a filter's lines, in memory and in a file; docs/FORMAT.md is their specification.

import { HEAD, LINE, MAX_LINES } from "../engine/layout.js";
import { BloomlineError, show } from "../errors.js";

/** 89 "BLM": the first byte is not ASCII, so that a text file is told apart at once. */
const MAGIC = 0x4d4c4289;
const VERSION = 1;
const MURMUR3 = 1;

/** What to do about a damaged filter. */
export const ANEW = "Fetch or build the filter anew.";

/** What a file holds. Numbers are for ever: they are the format. */
export const KINDS = { bloom: 1 } as const;

export interface Header {
  readonly kind: number;
  readonly hashes: number;
  readonly lines: number;
  readonly seed: bigint;
  readonly capacity: number;
  readonly errorRate: number;
  /** What else the kind needs to know; 0 unless given. */
  readonly detail?: number;
  readonly detail2?: number;
  /** What the filter counts: set bits, or items. */
  readonly tally: number;
  /** h1 of MurmurHash3_x64_128 over the lines, seed 0. */
  readonly checksum: bigint;
}

/** What a header says besides what is in the lines. */
export type Parameters = Omit<Header, "tally" | "checksum">;

/** FNV-1a of the bytes before it. Each step is a bijection, so one changed byte never goes unseen. */
function headerChecksum(view: DataView): number {
  let sum = 0x811c9dc5;
  for (let i = 0; i < 60; i++) sum = Math.imul(sum ^ view.getUint8(i), 0x01000193);
  return sum >>> 0;
}

export function writeHeader(header: Header): Uint8Array {
  const bytes = new Uint8Array(HEAD);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, MAGIC, true);
  view.setUint8(4, VERSION);
  view.setUint8(5, header.kind);
  view.setUint8(6, MURMUR3);
  view.setUint8(7, header.hashes);
  view.setUint32(8, header.lines, true);
  view.setUint32(12, header.detail ?? 0, true);
  view.setBigUint64(16, header.seed, true);
  view.setBigUint64(24, BigInt(header.capacity), true);
  view.setFloat64(32, header.errorRate, true);
  view.setBigUint64(40, BigInt(header.tally), true);
  view.setBigUint64(48, header.checksum, true);
  view.setUint32(56, header.detail2 ?? 0, true);
  view.setUint32(60, headerChecksum(view), true);
  return bytes;
}

/** The error for values that no bloomline writes. */
export function unsound({ hashes, lines, capacity, errorRate, tally }: Header): BloomlineError {
  return new BloomlineError(
    "ERR_CORRUPT",
    `No bloomline writes such a header: hashes ${hashes}, lines ${lines}, capacity ${capacity}, error rate ${errorRate}, tally ${tally}. ${ANEW}`,
  );
}

/** Reads and checks the first 64 of `total` bytes. Nothing is believed, or allocated, before this has passed. */
export function readHeader(bytes: Uint8Array, total: number): Header {
  if (!(bytes instanceof Uint8Array)) {
    throw new TypeError(`bytes is ${show(bytes)}; it must be a Uint8Array.`);
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length >= 4 && view.getUint32(0, true) !== MAGIC) {
    throw new BloomlineError("ERR_FOREIGN", "This is not a bloomline filter: it does not begin with 89 42 4c 4d.");
  }
  if (bytes.length < HEAD) {
    throw new BloomlineError("ERR_TRUNCATED", `Here are ${bytes.length} bytes; the header alone has ${HEAD}. ${ANEW}`);
  }
  const version = view.getUint8(4);
  if (version !== VERSION) {
    throw new BloomlineError(
      "ERR_VERSION",
      `The filter is of format version ${version}; this bloomline knows ${VERSION}. Update bloomline.`,
    );
  }
  if (view.getUint32(60, true) !== headerChecksum(view)) {
    throw new BloomlineError("ERR_CORRUPT", `The header's checksum does not match: it was damaged. ${ANEW}`);
  }
  const header: Header = {
    kind: view.getUint8(5),
    hashes: view.getUint8(7),
    lines: view.getUint32(8, true),
    seed: view.getBigUint64(16, true),
    capacity: Number(view.getBigUint64(24, true)),
    errorRate: view.getFloat64(32, true),
    detail: view.getUint32(12, true),
    detail2: view.getUint32(56, true),
    tally: Number(view.getBigUint64(40, true)),
    checksum: view.getBigUint64(48, true),
  };
  const hash = view.getUint8(6);
  if (hash !== MURMUR3) {
    throw new BloomlineError(
      "ERR_VERSION",
      `The filter uses hash ${hash}; this bloomline knows ${MURMUR3}. Update bloomline.`,
    );
  }
  const { lines, capacity, errorRate, tally } = header;
  // A header made by someone else, checksum and all.
  const sound =
    lines >= 1 &&
    lines <= MAX_LINES &&
    capacity >= 1 &&
    capacity <= Number.MAX_SAFE_INTEGER &&
    errorRate > 0 &&
    errorRate <= 1 &&
    tally <= Number.MAX_SAFE_INTEGER;
  if (!sound) throw unsound(header);
  const wanted = HEAD + header.lines * LINE;
  if (total !== wanted) {
    throw new BloomlineError(
      total < wanted ? "ERR_TRUNCATED" : "ERR_CORRUPT",
      `Here are ${total} bytes; the header announces ${wanted}. ${ANEW}`,
    );
  }
  return header;
}
