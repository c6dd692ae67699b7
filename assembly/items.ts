// Redis items -> hashes, in the same 16 bytes as any key's: h1, h2.

import { M64, murmur32, murmur64A } from "./murmur2";

/** How an item is hashed. */
// @ts-ignore: decorator
@inline const BLOOM64: u32 = 0;
// @ts-ignore: decorator
@inline const BLOOM32: u32 = 1;

/** The second hash is seeded with the first; a cuckoo filter has but one, of seed 0. */
export function hashItem(item: usize, length: u32, how: u32, at: usize): void {
  let a: u64 = 0;
  let b: u64 = 0;
  if (how == BLOOM64) {
    a = murmur64A(item, length, M64);
    b = murmur64A(item, length, a);
  } else if (how == BLOOM32) {
    const first = murmur32(item, length, 0x9747b28c);
    a = first;
    b = murmur32(item, length, first);
  } else {
    a = murmur64A(item, length, 0);
  }
  store<u64>(at, a);
  store<u64>(at, b, 8);
}

/** Item i is the bytes from items + offsets[i] to items + offsets[i + 1]. */
export function hashItems(items: usize, offsets: usize, n: u32, how: u32, hashes: usize): void {
  let from = load<u32>(offsets);
  for (const end = hashes + (<usize>n << 4); hashes < end; hashes += 16) {
    offsets += 4;
    const to = load<u32>(offsets);
    hashItem(items + from, to - from, how, hashes);
    from = to;
  }
}
