// From key to answer, one key a call. An integer comes in two 32-bit halves and a hash in four: a 64-bit parameter would
// be a BigInt on the JavaScript side.

import { addHashed, hasHashed } from "./kinds";
import { seedOf } from "./filter";
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

export function has(filter: usize, key: usize, length: u32): u32 {
  murmur3(key, length, seedOf(filter));
  return hasHashed(filter, h1, h2);
}

export function add(filter: usize, key: usize, length: u32): u32 {
  murmur3(key, length, seedOf(filter));
  return addHashed(filter, h1, h2);
}

export function hasInt(filter: usize, low: u32, high: u32): u32 {
  murmur3Int(join(low, high), seedOf(filter));
  return hasHashed(filter, h1, h2);
}

export function addInt(filter: usize, low: u32, high: u32): u32 {
  murmur3Int(join(low, high), seedOf(filter));
  return addHashed(filter, h1, h2);
}

export function hasHash(filter: usize, low1: u32, high1: u32, low2: u32, high2: u32): u32 {
  return hasHashed(filter, join(low1, high1), join(low2, high2));
}

export function addHash(filter: usize, low1: u32, high1: u32, low2: u32, high2: u32): u32 {
  return addHashed(filter, join(low1, high1), join(low2, high2));
}
