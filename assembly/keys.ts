// From key to answer, one key a call. An integer comes in two 32-bit halves and a hash in four: a 64-bit parameter would
// be a BigInt on the JavaScript side.

import { seedOf } from "./filter";
import { actHashed } from "./kinds";
import { h1, h2, keepHash, murmur3, murmur3Int } from "./murmur3";

// @ts-ignore: decorator
@inline export function join(low: u32, high: u32): u64 {
  return (<u64>high << 32) | low;
}

/** The hash of `length` bytes at `key`, stored at `at`. */
export function hash(key: usize, length: u32, seedLow: u32, seedHigh: u32, at: usize): void {
  murmur3(key, length, join(seedLow, seedHigh));
  keepHash(at);
}

/** For a key of `length` bytes. */
export function act(filter: usize, key: usize, length: u32, action: u32): u32 {
  murmur3(key, length, seedOf(filter));
  return actHashed(filter, h1, h2, action);
}

export function actInt(filter: usize, low: u32, high: u32, action: u32): u32 {
  murmur3Int(join(low, high), seedOf(filter));
  return actHashed(filter, h1, h2, action);
}

export function actHash(filter: usize, low1: u32, high1: u32, low2: u32, high2: u32, action: u32): u32 {
  return actHashed(filter, join(low1, high1), join(low2, high2), action);
}
