export { intersect, merge, popcount } from "./bits";
export { add, addHash, addInt, addInts, addMany, has, hash, hasHash, hasInt, hasInts, hasMany } from "./bloom";
export { useScratch } from "./filter";
export { hashBlocks, hashEnd } from "./murmur3";
export { splitUtf8, truncateF64, widenU32 } from "./staged";
