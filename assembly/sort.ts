// Lists of 64-bit numbers, alone or each with 64 bits of company: records of 8 or 16 bytes.

import { remix } from "./line";

// @ts-ignore: decorator
@inline const DIGIT: u32 = 11;
// @ts-ignore: decorator
@inline const DIGITS: u32 = 6;
// @ts-ignore: decorator
@inline const COUNTS: usize = 4 << DIGIT;

// @ts-ignore: decorator
@inline function countAt(counts: usize, number: u64, digit: u32): usize {
  return counts + <usize>digit * COUNTS + ((<usize>(number >>> <u64>(digit * DIGIT)) & ((1 << DIGIT) - 1)) << 2);
}

/**
 * Sorts n records in ascending order of their numbers: by radix, from the last digit, so that no set of keys is slower
 * than another. `spare` is as long as the list, `counts` are 48 KiB.
 */
export function sort(list: usize, n: u32, record: u32, spare: usize, counts: usize): void {
  const bytes = <usize>n * record;
  memory.fill(counts, 0, COUNTS * DIGITS);
  for (let at = list; at < list + bytes; at += record) {
    const number = load<u64>(at);
    for (let digit: u32 = 0; digit < DIGITS; digit++) {
      const count = countAt(counts, number, digit);
      store<u32>(count, load<u32>(count) + 1);
    }
  }
  for (let digit: u32 = 0; digit < DIGITS; digit++) {
    // From how many to where.
    let to = spare;
    for (let count = counts + <usize>digit * COUNTS; count < counts + <usize>(digit + 1) * COUNTS; count += 4) {
      const next = to + <usize>load<u32>(count) * record;
      store<u32>(count, <u32>to);
      to = next;
    }
    for (let at = list; at < list + bytes; at += record) {
      const number = load<u64>(at);
      const count = countAt(counts, number, digit);
      const place = <usize>load<u32>(count);
      store<u32>(count, <u32>(place + record));
      store<u64>(place, number);
      if (record == 16) store<u64>(place, load<u64>(at, 8), 8);
    }
    // The digits are even in number: the last pass ends in the list.
    const from = spare;
    spare = list;
    list = from;
  }
}

/** Each record of a sorted list once. Returns how many are left, or -1 where one number has different company. */
export function distinct(list: usize, n: u32, record: u32): i32 {
  const end = list + <usize>n * record;
  let left = list;
  for (let at = list; at < end; at += record) {
    const number = load<u64>(at);
    if (at != list && load<u64>(left - record) == number) {
      if (record == 16 && load<u64>(left - record, 8) != load<u64>(at, 8)) return -1;
      continue;
    }
    store<u64>(left, number);
    if (record == 16) store<u64>(left, load<u64>(at, 8), 8);
    left += record;
  }
  return <i32>((left - list) / record);
}

/** Every number remixed, after which the list is no longer sorted. */
export function remixAll(list: usize, n: u32, record: u32): void {
  for (const end = list + <usize>n * record; list < end; list += record) store<u64>(list, remix(load<u64>(list)));
}
