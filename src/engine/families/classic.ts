import { compileLocal, compileShared } from "#kernels/classic";
import type { Family } from "../family.js";
import fallback from "../generated/classic.fallback.js";

/** ClassicBloomFilter, PartitionedBloomFilter, StableBloomFilter. */
export const classic: Family = { compileLocal, compileShared, fallback };
