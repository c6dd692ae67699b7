// The kernel of FuseFilter, GolombSet, BloomierMap, CompactApproximator and FilterBank.
// @ts-ignore: decorator
@global const FAMILY: i32 = 3;
export { actHashes, hashInts, hashKeys } from "./batch";
export { popcount } from "./bits";
export { useCounter } from "./filter";
export { addHashAt, getHash, putHash, which, whichWord } from "./frozen-kinds";
export { golombEncode, golombRange, golombValues } from "./golomb";
export { act, actHash, actInt, hash } from "./keys";
export { hashEnd, hashPiece } from "./murmur3";
export { peel } from "./peel";
export { distinct, remixAll, sort } from "./sort";
export { splitUtf8, widenU32 } from "./staged";
