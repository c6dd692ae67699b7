// One layer of a RedisBloom cuckoo filter: buckets of one-byte fingerprints, 0 for an empty place. It is read only.

import { HEAD } from "./filter";

/** +12: how many buckets; +56: places in each. */
// @ts-ignore: decorator
@inline function bucketAt(filter: usize, hash: u64): usize {
  return filter + HEAD + <usize>(hash % load<u32>(filter, 12)) * load<u32>(filter, 56);
}

// @ts-ignore: decorator
@inline function fingerprintOf(hash: u64): u32 {
  return <u32>(hash % 255) + 1;
}

function countIn(bucket: usize, places: u32, fingerprint: u32): u32 {
  let n: u32 = 0;
  for (const end = bucket + places; bucket < end; bucket++) n += u32(load<u8>(bucket) == fingerprint);
  return n;
}

// @ts-ignore: decorator
@inline function otherOf(hash: u64, fingerprint: u32): u64 {
  return hash ^ (<u64>fingerprint * 0x5bd1e995);
}

// @ts-ignore: decorator
@inline export function touch(filter: usize, hash: u64): u32 {
  return load<u8>(bucketAt(filter, hash)) + load<u8>(bucketAt(filter, otherOf(hash, fingerprintOf(hash))));
}

/** In how many places the fingerprint is; each twice where both buckets are one, as CF.COUNT has it. */
// @ts-ignore: decorator
@inline export function has(filter: usize, hash: u64): u32 {
  const places = load<u32>(filter, 56);
  const fingerprint = fingerprintOf(hash);
  return (
    countIn(bucketAt(filter, hash), places, fingerprint) +
    countIn(bucketAt(filter, otherOf(hash, fingerprint)), places, fingerprint)
  );
}
