// The kernel of BloomFilter, for shared memory. Keys are hashed in private memory, so it needs little more than to probe.
// @ts-ignore: decorator
@global const FAMILY: i32 = 0;
export { addHashes, hasHashes, lastTouched } from "./batch";
export { useCounter } from "./filter";
export { addHash, addInt, hasHash, hasInt } from "./keys";
