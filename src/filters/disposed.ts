import type { Instance } from "../engine/instance.js";
import type { FilterKernel } from "../engine/kernel.js";
import type { Region } from "../engine/region.js";
import { BloomlineError } from "../errors.js";

function fail(): never {
  throw new BloomlineError("ERR_DISPOSED", "The filter was disposed of. Make a new one.");
}

/** Stands in for the region of a disposed filter: whoever touches it gets the error, and live filters pay nothing. */
const failing: unknown = new Proxy({}, { get: fail });
export const disposedRegion = failing as Region;
export const disposedStage = failing as Instance;
export const disposedKernel = failing as FilterKernel;

/** Symbol.dispose, also where the runtime does not have it yet. */
export const disposeSymbol: typeof Symbol.dispose = Symbol.dispose ?? Symbol();
