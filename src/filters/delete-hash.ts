import { DELETE } from "../engine/kernel.js";
import { hashParts, type KeyHash } from "./key-hash.js";
import { type LineFilter, regionOf } from "./line-filter.js";

/** Takes a hashed key away, once. False: it was not there. */
export function deleteHash(filter: LineFilter, hash: KeyHash): boolean {
  const { kernel, at } = regionOf(filter);
  const parts = hashParts(hash, filter.seed);
  return kernel.actHash(at, parts[0]!, parts[1]!, parts[2]!, parts[3]!, DELETE) !== 0;
}
