// The kernel for shared memory. Keys are hashed in private memory, so it needs little more than to probe.
export { addHashes, hasHashes, lastTouched } from "./batch";
export { useCounter } from "./filter";
export { addHash, addInt, hasHash, hasInt } from "./keys";
