// A list file: 20 bytes, what is known of the list as JSON, and a filter as in a .bloom file, at a multiple of 64.
// docs/SAFE-BROWSING.md is its specification.

import { LINE } from "../engine/layout.js";
import { BloomlineError } from "../errors.js";
import { ANEW, fnv1a } from "../format/header.js";

/** 89 "BLU". */
const MAGIC = 0x554c4289;
const VERSION = 1;
const HEAD = 20;

/** What is known of a list besides its filter. */
export interface UrlListInfo {
  readonly version: string;
  /** When it was made, as in an ISO 8601 date. */
  readonly created: string;
  /** Where it comes from, in the maker's words. */
  readonly source: string;
  /** As many as were given. */
  readonly entries: number;
  /** The share of clean URLs that it may take for listed ones. */
  readonly errorRate: number;
  /** Expressions that are not listed, whatever the filter says. */
  readonly except: readonly string[];
  /** Of a delta: the list that it goes with. */
  readonly base?: string;
}

export interface UrlListFile {
  readonly info: UrlListInfo;
  /** As in a .bloom file. */
  readonly filter: Uint8Array;
}

function checksumOf(bytes: Uint8Array, info: Uint8Array): number {
  return fnv1a(info, fnv1a(bytes.subarray(0, HEAD - 4)));
}

export function writeList(info: UrlListInfo, filter: Uint8Array): Uint8Array<ArrayBuffer> {
  const json = new TextEncoder().encode(JSON.stringify(info));
  const start = Math.ceil((HEAD + json.length) / LINE) * LINE;
  const bytes = new Uint8Array(start + filter.length).fill(0x20, HEAD, start);
  bytes.set(json, HEAD);
  bytes.set(filter, start);
  const words = new Uint32Array(bytes.buffer, 0, HEAD / 4);
  words.set([MAGIC, VERSION, start - HEAD, filter.length / LINE]);
  words[4] = checksumOf(bytes, bytes.subarray(HEAD, start));
  return bytes;
}

/** How long a file is that begins like this; undefined while too little of it is there. */
export function lengthOf(bytes: Uint8Array): number | undefined {
  if (bytes.length < HEAD) return undefined;
  const [magic, version, info, lines] = new Uint32Array(bytes.slice(0, HEAD).buffer) as unknown as number[];
  if (magic !== MAGIC) {
    throw new BloomlineError(
      "ERR_FOREIGN",
      "This is not a list from buildUrlList: it does not begin with 89 42 4c 55.",
    );
  }
  if (version !== VERSION) {
    throw new BloomlineError(
      "ERR_VERSION",
      `The list is of format version ${version}; this bloomline knows ${VERSION}.`,
    );
  }
  return HEAD + info! + lines! * LINE;
}

/** Checks the length, and the checksum of all that is not the filter, which has its own. */
export function readList(bytes: Uint8Array): UrlListFile {
  const length = lengthOf(bytes) ?? HEAD;
  if (bytes.length !== length) {
    throw new BloomlineError(
      bytes.length < length ? "ERR_TRUNCATED" : "ERR_CORRUPT",
      `Here are ${bytes.length} bytes of a list of ${length}. ${ANEW}`,
    );
  }
  const [, , size, , checksum] = new Uint32Array(bytes.slice(0, HEAD).buffer) as unknown as number[];
  const json = bytes.subarray(HEAD, HEAD + size!);
  if (checksumOf(bytes, json) !== checksum) {
    throw new BloomlineError("ERR_CORRUPT", `The checksum of the list does not match: it was damaged. ${ANEW}`);
  }
  return { info: JSON.parse(new TextDecoder().decode(json)), filter: bytes.subarray(HEAD + size!) };
}

/** Tells one filter from another: both checksums in its head. */
export function idOf(filter: Uint8Array): string {
  return hex(filter.subarray(48, 64));
}

export function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
