// The kernel of CountingBloomFilter, CuckooFilter and QuotientFilter.
// @ts-ignore: decorator
@global const FAMILY: i32 = 2;
export { actHashes, hashInts, hashKeys } from "./batch";
export { combine, popcount } from "./bits";
export { packCells } from "./cells";
export { census } from "./deleting-kinds";
export { useCounter } from "./filter";
export { act, actHash, actInt, hash } from "./keys";
export { hashEnd, hashPiece } from "./murmur3";
export { addFingerprints, listFingerprints } from "./quotient";
export { splitUtf8, widenU32 } from "./staged";
