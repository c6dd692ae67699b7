// The kernel of ClassicBloomFilter, PartitionedBloomFilter and StableBloomFilter.
// @ts-ignore: decorator
@global const FAMILY: i32 = 1;
export { actHashes, hashInts, hashKeys } from "./batch";
export { combine, popcount } from "./bits";
export { useCounter } from "./filter";
export { act, actHash, actInt, hash } from "./keys";
export { hashEnd, hashPiece } from "./murmur3";
export { splitUtf8, widenU32 } from "./staged";
