import { compileLocal, compileShared } from "#kernels/core";
import type { Family } from "../family.js";
import fallback from "../generated/core.fallback.js";

/** BloomFilter. */
export const core: Family = { compileLocal, compileShared, fallback };
