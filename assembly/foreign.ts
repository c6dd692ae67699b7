// The kernel of other systems' filters: Guava's, RedisBloom's, and RedisBloom's cuckoo filters.
// @ts-ignore: decorator
@global const FAMILY: i32 = 4;
export { actHashes, hashInts, hashKeys } from "./batch";
export { combine, popcount } from "./bits";
export { useCounter } from "./filter";
export { hashItem, hashItems } from "./items";
export { act, actHash, actInt, hash } from "./keys";
export { hashEnd, hashPiece } from "./murmur3";
export { splitUtf8, widenU32 } from "./staged";
