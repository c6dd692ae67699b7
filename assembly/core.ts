// The kernel of BloomFilter.
// @ts-ignore: decorator
@global const FAMILY: i32 = 0;
export { combine, popcount } from "./bits";
export { useCounter } from "./filter";
// In front of the batches, which inline what this calls: AssemblyScript inlines nothing into itself.
export { act, actHash, actInt, hash } from "./keys";
export { actHashes, hashInts, hashKeys } from "./batch";
export { hashEnd, hashPiece } from "./murmur3";
export { splitUtf8, widenU32 } from "./staged";
