import { compileLocal, compileShared } from "#kernels/deleting";
import type { Family } from "../family.js";
import fallback from "../generated/deleting.fallback.js";

/** CountingBloomFilter, CompactBloomFilter, CuckooFilter, QuotientFilter. */
export const deleting: Family = { compileLocal, compileShared, fallback };
