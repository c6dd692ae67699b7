// The 64 bytes in front of a filter's lines, in memory and in a file; docs/FORMAT.md is their specification.

import { HEAD, LINE, MAX_LINES } from "../engine/layout.js";
import { BloomlineError, mustBe } from "../errors.js";

/** 89 "BLM": the first byte is not ASCII, so that a text file is told apart at once. */
const MAGIC = 0x4d4c4289;
const VERSION = 1;
const MURMUR3 = 1;

/** What to do about a damaged filter. */
export const ANEW = "Fetch or build it anew.";

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

/** A header's bytes as numbers of each size: everything in it is aligned, and little-endian as WebAssembly is. */
function numbersOf({ buffer }: Uint8Array<ArrayBuffer>) {
  return { words: new Uint32Array(buffer), longs: new BigUint64Array(buffer), doubles: new Float64Array(buffer) };
}

/** FNV-1a, of more bytes if given the sum so far. Each step is a bijection, so one changed byte never goes unseen. */
export function fnv1a(bytes: Uint8Array, sum = 0x811c9dc5): number {
  for (const byte of bytes) sum = Math.imul(sum ^ byte, 0x01000193);
  return sum >>> 0;
}

function headerChecksum(bytes: Uint8Array): number {
  return fnv1a(bytes.subarray(0, 60));
}

export function writeHeader(header: Header): Uint8Array {
  const bytes = new Uint8Array(HEAD);
  const { words, longs, doubles } = numbersOf(bytes);
  words[0] = MAGIC;
  bytes.set([VERSION, header.kind, MURMUR3, header.hashes], 4);
  words[2] = header.lines;
  words[3] = header.detail ?? 0;
  longs[2] = header.seed;
  longs[3] = BigInt(header.capacity);
  doubles[4] = header.errorRate;
  longs[5] = BigInt(header.tally);
  longs[6] = header.checksum;
  words[14] = header.detail2 ?? 0;
  words[15] = headerChecksum(bytes);
  return bytes;
}

/** The error for values that no bloomline writes. */
export function unsound(header: Header): BloomlineError {
  const values = Object.entries(header).map((field) => field.join(" "));
  return new BloomlineError("ERR_CORRUPT", `No bloomline writes ${values.join(", ")}. ${ANEW}`);
}

/** Reads and checks the first 64 of `total` bytes. Nothing is believed, or allocated, before this has passed. */
export function readHeader(bytes: Uint8Array, total: number): Header {
  if (!(bytes instanceof Uint8Array)) throw mustBe("bytes", bytes, "a Uint8Array", TypeError);
  const head = new Uint8Array(HEAD);
  head.set(bytes.subarray(0, HEAD));
  const { words, longs, doubles } = numbersOf(head);
  if (bytes.length >= 4 && words[0] !== MAGIC) {
    throw new BloomlineError("ERR_FOREIGN", "This is not a bloomline filter: it does not begin with 89 42 4c 4d.");
  }
  if (bytes.length < HEAD) {
    throw new BloomlineError("ERR_TRUNCATED", `Here are ${bytes.length} bytes; the header alone has ${HEAD}. ${ANEW}`);
  }
  const [version, kind, hash, hashes] = head.subarray(4) as unknown as [number, number, number, number];
  if (version !== VERSION || hash !== MURMUR3) {
    throw new BloomlineError(
      "ERR_VERSION",
      `The filter is of format version ${version}, hash ${hash}; this bloomline knows ${VERSION}, ${MURMUR3}. Update bloomline.`,
    );
  }
  if (words[15] !== headerChecksum(head)) {
    throw new BloomlineError("ERR_CORRUPT", `The checksum of the header does not match. ${ANEW}`);
  }
  const header: Header = {
    kind,
    hashes,
    lines: words[2]!,
    detail: words[3]!,
    seed: longs[2]!,
    capacity: Number(longs[3]),
    errorRate: doubles[4]!,
    tally: Number(longs[5]),
    checksum: longs[6]!,
    detail2: words[14]!,
  };
  const { lines, capacity, errorRate, tally } = header;
  // A header made by someone else, checksum and all.
  const sound =
    lines >= 1 &&
    lines <= MAX_LINES &&
    capacity >= 1 &&
    capacity < 2 ** 53 &&
    errorRate > 0 &&
    errorRate <= 1 &&
    tally < 2 ** 53;
  if (!sound) throw unsound(header);
  const wanted = HEAD + lines * LINE;
  if (total !== wanted) {
    throw new BloomlineError(
      total < wanted ? "ERR_TRUNCATED" : "ERR_CORRUPT",
      `Here are ${total} bytes; the header announces ${wanted}. ${ANEW}`,
    );
  }
  return header;
}
