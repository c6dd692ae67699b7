import { compileLocal, compileShared } from "#kernels/frozen";
import type { Family } from "../family.js";
import fallback from "../generated/frozen.fallback.js";

/** FuseFilter, GolombSet, BloomierMap, CompactApproximator and FilterBank. */
export const frozen: Family = { compileLocal, compileShared, fallback };
