// The kernel of BloomFilter.
// @ts-ignore: decorator
@global const FAMILY: i32 = 0;
export { addHashes, hashInts, hashKeys, hasHashes, lastTouched } from "./batch";
export { intersect, merge, popcount } from "./bits";
export { useCounter } from "./filter";
export { add, addHash, addInt, has, hash, hasHash, hasInt } from "./keys";
export { hashEnd, hashPiece } from "./murmur3";
export { splitUtf8, truncateF64, widenU32 } from "./staged";
