import { BloomlineError } from "../errors.js";
import { readHeader } from "../format/header.js";
import { BloomFilter } from "./bloom-filter.js";
import type { EngineOptions } from "./line-filter.js";

/** Any filter. */
export type Filter = BloomFilter;

const classes = [BloomFilter];

export function classOf(kind: number): typeof BloomFilter {
  const found = classes.find((type) => type.kind === kind);
  if (found) return found;
  throw new BloomlineError(
    "ERR_KIND",
    `The filter is of kind ${kind}; this bloomline knows ${classes.map((type) => type.kind).join(", ")}. Update bloomline.`,
  );
}

/** Opens any .bloom file, whichever filter it holds. */
export function openFilter(bytes: Uint8Array, options?: EngineOptions): Filter {
  const { kind } = readHeader(bytes, bytes?.length);
  return classOf(kind).fromBytes(bytes, options);
}
