import { BloomlineError } from "../errors.js";
import { readHeader } from "../format/header.js";
import { AgingBloomFilter } from "./aging-bloom-filter.js";
import { BloomFilter } from "./bloom-filter.js";
import { BloomierMap } from "./bloomier-map.js";
import { ClassicBloomFilter } from "./classic-bloom-filter.js";
import { CompactApproximator } from "./compact-approximator.js";
import { CompactBloomFilter } from "./compact-bloom-filter.js";
import { CountingBloomFilter } from "./counting-bloom-filter.js";
import { CuckooFilter } from "./cuckoo-filter.js";
import { FilterBank } from "./filter-bank.js";
import { FuseFilter } from "./fuse-filter.js";
import { GolombSet } from "./golomb-set.js";
import type { EngineOptions, FilterClass, ReadableFilter } from "./line-filter.js";
import { PartitionedBloomFilter } from "./partitioned-bloom-filter.js";
import { QuotientFilter } from "./quotient-filter.js";
import { ScalableBloomFilter } from "./scalable-bloom-filter.js";
import { StableBloomFilter } from "./stable-bloom-filter.js";
import { TieredFilter } from "./tiered-filter.js";

const lineClasses = [
  BloomFilter,
  ClassicBloomFilter,
  PartitionedBloomFilter,
  CountingBloomFilter,
  CompactBloomFilter,
  CuckooFilter,
  QuotientFilter,
  StableBloomFilter,
  FuseFilter,
  GolombSet,
  BloomierMap,
  CompactApproximator,
  FilterBank,
] as const;
const compositeClasses = [ScalableBloomFilter, AgingBloomFilter, TieredFilter] as const;

/** Any filter that has bytes. */
export type Filter = InstanceType<(typeof lineClasses)[number] | (typeof compositeClasses)[number]>;

/** A class of filters that can be opened. */
interface Opener {
  readonly kind: number;
  fromBytes(bytes: Uint8Array, options?: EngineOptions): Filter;
}

export function classOf(kind: number): Opener {
  const classes: readonly Opener[] = [...lineClasses, ...compositeClasses];
  const found = classes.find((type) => type.kind === kind);
  if (found) return found;
  throw new BloomlineError(
    "ERR_KIND",
    `The filter is of kind ${kind}; this bloomline knows ${classes.map((type) => type.kind).join(", ")}. Update bloomline.`,
  );
}

/** The class of a filter that lies in lines of its own; undefined for one that is made of others. */
export function lineClassOf(kind: number): FilterClass<Filter & ReadableFilter> | undefined {
  return lineClasses.find((type) => type.kind === kind);
}

/** Opens any .bloom file, whichever filter it holds. */
export function openFilter(bytes: Uint8Array, options?: EngineOptions): Filter {
  const { kind } = readHeader(bytes, bytes?.length);
  return classOf(kind).fromBytes(bytes, options);
}
