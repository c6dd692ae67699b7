// The loops that most batches of a BloomFilter run through. They are written out so that everything which does not change
// stays in registers: a mere call in them, however seldom it is made, takes 0.8 ns a key.

import { HAS } from "./actions";
import { lineOf, touch } from "./bloom";
import { hashesOf, isShared, linesOf, loseCount } from "./filter";
import { GROUP, HASH } from "./hashes";
import { bitsAt, bytesAt, lanes, pairs, positions, powers, quarters, sevens, shifts } from "./lanes";
import { remix, setFew, SLICES, test } from "./line";

/** Whether eachPlainly can add to it: at most seven positions, and nobody else who writes. */
// @ts-ignore: decorator
@inline export function isPlain(filter: usize): bool {
  return hashesOf(filter) <= SLICES && !isShared();
}

/**
 * HAS, by the first seven positions, or ADD. Adding asks first: a key that is there is not written, and for a new one setting
 * blindly is faster than looking at each bit.
 */
export function eachPlainly(filter: usize, hashes: usize, n: u32, out: usize, action: u32): u32 {
  const lines: u64 = linesOf(filter);
  const k = hashesOf(filter);
  const pair = pairs();
  const shift = shifts();
  const seven = sevens();
  const power = powers();
  const some = lanes(k);
  const quarter = quarters();
  const end = hashes + <usize>n * HASH;
  // Beyond 16 MiB a miss goes to memory, and the fewer groups the better: at 256 MiB 18.0 ns, and 18.6 in groups of 128. Lines
  // in the second-level cache are brought into the first, which should hold a group: 6.2 ns at 1 MiB, and 6.4 in groups of 512.
  const group: usize = lines >>> 18 ? 512 * HASH : GROUP;
  let all: u32 = 0;
  if (action != HAS) loseCount(filter);
  while (hashes < end) {
    const groupEnd = min(hashes + group, end);
    let sum: u32 = 0;
    for (let hash = hashes; ; ) {
      sum += touch(filter, lines, load<u64>(hash));
      hash += HASH;
      if (hash >= groupEnd) break;
    }
    // Only what is kept is not optimised away; the answers go over it.
    store<u8>(out, sum);
    do {
      const line = lineOf(filter, lines, load<u64>(hashes));
      const bits = load<u64>(hashes, 8);
      const places = positions(bits, pair, shift);
      const wanted = v128.and(bitsAt(places, seven, power), some);
      const there = u32(!v128.any_true(v128.andnot(wanted, bytesAt(line, places, quarter))));
      if (there < action) setFew(line, bits, k);
      const yes = there ^ action;
      store<u8>(out, yes);
      all += yes;
      out++;
      hashes += HASH;
    } while (hashes < groupEnd);
  }
  return all;
}

/**
 * Asks for the positions beyond the first seven where eachPlainly has said yes: it takes back what it should not have said,
 * and returns how often. At a rate of 1e-6 a stranger takes 7.5 ns so, and 9.9 in calls key by key; a member 12.6 and 14.1.
 */
export function dropped(filter: usize, hashes: usize, n: u32, out: usize): u32 {
  const lines: u64 = linesOf(filter);
  const k = hashesOf(filter) - SLICES;
  const end = out + n;
  let all: u32 = 0;
  do {
    if (load<u8>(out) && !test(lineOf(filter, lines, load<u64>(hashes)), remix(load<u64>(hashes, 8)), k)) {
      store<u8>(out, 0);
      all++;
    }
    hashes += HASH;
  } while (++out < end);
  return all;
}
