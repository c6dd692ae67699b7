import { BloomlineError } from "../errors.js";
import { Arena } from "./arena.js";
import type { Backend } from "./backend.js";
import type { Family } from "./family.js";
import { Instance } from "./instance.js";
import { PAGE } from "./layout.js";

/** The generated code indexes its heap with signed 32-bit addresses. */
const MAX_PAGES = 32767;

function instantiate({ fallback }: Family, pages: number): Instance {
  if (pages > MAX_PAGES) {
    throw new RangeError("The JS engine has no more than 2 GiB.");
  }
  const memory = { buffer: new ArrayBuffer(pages * PAGE) };
  return new Instance("js", memory.buffer, () => fallback({ env: { memory } }));
}

function refuseSharing(): never {
  throw new BloomlineError("ERR_NO_WASM", "Sharing needs WebAssembly, not the JS engine. Leave out { shared: true }.");
}

const backends = new Map<Family, Backend>();

/** The kernel as JavaScript, generated from the same source: the same bytes, without WebAssembly. */
export function jsBackend(family: Family): Backend {
  let backend = backends.get(family);
  if (!backend) {
    const instance = (pages: number) => instantiate(family, pages);
    backend = {
      arena: new Arena(instance),
      instantiate: instance,
      createShared: refuseSharing,
      attachShared: refuseSharing,
    };
    backends.set(family, backend);
  }
  return backend;
}
