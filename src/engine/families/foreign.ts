import { compileLocal, compileShared } from "#kernels/foreign";
import type { Family } from "../family.js";
import fallback from "../generated/foreign.fallback.js";

/** Other systems' filters: Guava, RedisBloom. */
export const foreign: Family = { compileLocal, compileShared, fallback };
