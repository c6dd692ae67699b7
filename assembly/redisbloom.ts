// One layer of a RedisBloom filter: bit a + i·b of MurmurHash64A's two hashes, least significant bit first.

import { HEAD } from "./filter";
import { SET, TEST, TOUCH, walk } from "./modular";

/** +12: the low 32 bits of the number of bits; +56: its high 8, and above them k, which may be 1,000 and more. */
// @ts-ignore: decorator
@inline function layer(filter: usize, a: u64, b: u64, what: i32): u32 {
  const more = load<u32>(filter, 56);
  return walk(filter + HEAD, 0, a, b, 0, (<u64>(more & 0xff) << 32) | load<u32>(filter, 12), more >>> 8, what);
}

// @ts-ignore: decorator
@inline export function touch(filter: usize, a: u64, b: u64): u32 {
  return layer(filter, a, b, TOUCH);
}

// @ts-ignore: decorator
@inline export function has(filter: usize, a: u64, b: u64): u32 {
  return layer(filter, a, b, TEST);
}

/** Returns how many bits were new. */
// @ts-ignore: decorator
@inline export function add(filter: usize, a: u64, b: u64): u32 {
  return layer(filter, a, b, SET);
}
