// A list file: the head of a .bloom file, lines with what is known of the list as JSON, and a filter, which is a .bloom
// file of its own. docs/FORMAT.md is their specification.

import { HEAD, LINE } from "../engine/layout.js";
import { BloomlineError } from "../errors.js";
import { ANEW, fnv1a, type Header, readHeader, writeHeader } from "../format/header.js";
import { urlList } from "../format/kinds.js";

/** What is known of a list besides its filter. */
export interface UrlListInfo {
  readonly version: string;
  /** When it was made, as an ISO 8601 date. */
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

export function writeList(info: UrlListInfo, filter: Uint8Array): Uint8Array<ArrayBuffer> {
  const json = new TextEncoder().encode(JSON.stringify(info));
  const detail = Math.ceil(json.length / LINE);
  const start = HEAD + detail * LINE;
  const bytes = new Uint8Array(start + filter.length).fill(0x20, HEAD, start);
  bytes.set(json, HEAD);
  bytes.set(filter, start);
  const { entries: tally, errorRate } = info;
  const header = { kind: urlList, hashes: 0, lines: detail + filter.length / LINE, detail, seed: 0n, tally, errorRate };
  const checksum = BigInt(fnv1a(bytes.subarray(HEAD, start)));
  bytes.set(writeHeader({ ...header, capacity: Math.max(1, tally), checksum }));
  return bytes;
}

/** The head of a list of so many bytes, or of as many as it says. */
function headOf(bytes: Uint8Array, total = HEAD + new Uint32Array(bytes.slice(8, 12).buffer)[0]! * LINE): Header {
  const header = readHeader(bytes, total);
  if (header.kind === urlList) return header;
  throw new BloomlineError(
    "ERR_KIND",
    `The file is of kind ${header.kind}; a list is kind ${urlList}. Use buildUrlList.`,
  );
}

/** How long a list is that begins like this; undefined while too little of it is there. */
export function lengthOf(bytes: Uint8Array): number | undefined {
  return bytes.length < HEAD ? undefined : HEAD + headOf(bytes).lines * LINE;
}

/** Reads what is known of a list, after its length and checksum have been verified; its filter has its own. */
export function readList(bytes: Uint8Array): { info: UrlListInfo; filter: Uint8Array } {
  const { detail, checksum } = headOf(bytes, bytes.length);
  const start = HEAD + detail! * LINE;
  const json = bytes.subarray(HEAD, start);
  if (BigInt(fnv1a(json)) !== checksum) {
    throw new BloomlineError("ERR_CORRUPT", `The checksum of the list does not match: it was damaged. ${ANEW}`);
  }
  return { info: JSON.parse(new TextDecoder().decode(json)), filter: bytes.subarray(start) };
}

/** Tells one filter from another: both checksums in its head. */
export function idOf(filter: Uint8Array): string {
  return hex(filter.subarray(48, HEAD));
}

export function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
