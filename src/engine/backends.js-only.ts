// What bloomline/js has in place of backends.ts: the build swaps them.
import { BloomlineError } from "../errors.js";
import type { Backend, EngineChoice } from "./backend.js";
import type { Family } from "./family.js";
import { jsBackend } from "./javascript.js";

export function backendFor(family: Family, choice: EngineChoice): Backend {
  if (choice !== "wasm") return jsBackend(family);
  throw new BloomlineError(
    "ERR_NO_WASM",
    'bloomline/js has no WebAssembly. Import from "bloomline", or leave out engine: "wasm".',
  );
}
