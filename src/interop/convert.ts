import { BloomlineError } from "../errors.js";
import { checkKeys, counted, countOf, type Keys } from "../keys/batch.js";
import type { GuavaBloomFilter } from "./guava-bloom-filter.js";
import type { LayeredDump } from "./layered-dump.js";

/** A filter of another system. */
// biome-ignore lint/suspicious/noExplicitAny: whatever its values are
export type ForeignFilter = GuavaBloomFilter<any> | LayeredDump;

/** A class that builds filters from keys, such as BloomFilter. */
export interface BuiltFromKeys<F, O> {
  new (options: O): F;
  readonly name: string;
  from(keys: Keys, options?: never): unknown;
}

/**
 * Makes a filter of one of bloomline's kinds from one of another system: of its keys, for its bits cannot be moved. They say
 * where hashes of keys fell, not which keys these were, and another kind has other hashes. Every key must be in the source.
 */
export function convert<F, O>(
  source: ForeignFilter,
  target: BuiltFromKeys<F, O>,
  keys?: Keys,
  options?: Partial<O>,
): F {
  const name = source.constructor.name;
  if (keys === undefined) {
    throw new BloomlineError(
      "ERR_INCOMPATIBLE",
      `A ${name} cannot become a ${target.name} without its keys: its bits do not tell them. Give the keys, convert(filter, ${target.name}, keys), or use the ${name} as it is.`,
    );
  }
  checkKeys(keys);
  const all = counted(keys);
  const missing = source
    .hasMany(all as never)
    .subarray(0, countOf(all))
    .indexOf(0);
  if (missing >= 0) {
    throw new BloomlineError(
      "ERR_INCOMPATIBLE",
      `Key ${missing} of ${countOf(all)} is not in the ${name}: these are not its keys. Give the keys that were added to it.`,
    );
  }
  return target.from(all, options as never) as F;
}
