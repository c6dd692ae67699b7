import { BloomlineError } from "../errors.js";
import { KINDS, readHeader } from "../format/header.js";
import { BloomFilter, type EngineOptions } from "./bloom-filter.js";

/** Any filter. */
export type Filter = BloomFilter;

const classes = new Map([[KINDS.bloom, BloomFilter]]);

export function classOf(kind: number): typeof BloomFilter {
  const found = classes.get(kind as 1);
  if (found) return found;
  throw new BloomlineError(
    "ERR_KIND",
    `The file holds a filter of kind ${kind}; this bloomline knows ${[...classes.keys()].join(", ")}. Update bloomline.`,
  );
}

/** Opens any .bloom file, whichever filter it holds. */
export function openFilter(bytes: Uint8Array, options?: EngineOptions): Filter {
  const { kind } = readHeader(bytes, bytes?.length);
  return classOf(kind).fromBytes(bytes, options);
}
