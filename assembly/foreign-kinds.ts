// Other systems' filters, by the number of their kind; they are in no .bloom file.

import { HAS } from "./actions";
import * as guava from "./guava";
import * as redisBloom from "./redisbloom";
import * as redisCuckoo from "./rediscuckoo";

// @ts-ignore: decorator
@inline const GUAVA: u8 = 240;
// @ts-ignore: decorator
@inline const REDIS_BLOOM: u8 = 241;

// @ts-ignore: decorator
@inline function kindOf(filter: usize): u8 {
  return load<u8>(filter, 5);
}

// @ts-ignore: decorator
@inline export function touch(filter: usize, h1: u64, h2: u64): u32 {
  if (kindOf(filter) == GUAVA) return guava.touch(filter, h1, h2);
  if (kindOf(filter) == REDIS_BLOOM) return redisBloom.touch(filter, h1, h2);
  return redisCuckoo.touch(filter, h1);
}

// @ts-ignore: decorator
@inline export function act(filter: usize, h1: u64, h2: u64, action: u32): u32 {
  if (kindOf(filter) == GUAVA) return action == HAS ? guava.has(filter, h1, h2) : guava.add(filter, h1, h2);
  if (kindOf(filter) == REDIS_BLOOM) {
    return action == HAS ? redisBloom.has(filter, h1, h2) : redisBloom.add(filter, h1, h2);
  }
  return redisCuckoo.has(filter, h1);
}
