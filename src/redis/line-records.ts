import { BATCH, LINE } from "../engine/layout.js";

const WORDS = LINE / 4;

/** Tags of MessagePack, which a script reads in one call. */
const TEXT = 0xa0;
const UINT32 = 0xce;
const DOUBLE = 0xcb;
/** Two places of up to 9 digits, a count, and a mask for each word. */
const MOST_BYTES = 2 * 10 + 1 + WORDS * 9;

/** Where records are made: most are a third of what they may be, and memory to be sent is dear. */
const records = new Uint8Array(BATCH * MOST_BYTES);
const view = new DataView(records.buffer);

/**
 * Up to BATCH lines with their numbers in the shard, as or-lines.lua takes them. Of each line only the words from the first that has a
 * bit to the last: the place of their first and their last byte, as text because Redis would print and read numbers again;
 * how many words; and 16 masks, the rest of them 0. A mask of several bits is negative: a single bit needs no `bit`.
 */
export function packRecords(numbers: ArrayLike<number>, lines: Uint8Array): Uint8Array {
  const given = new Uint32Array(lines.buffer, lines.byteOffset, numbers.length * WORDS);
  let at = 0;

  const putPlace = (place: number) => {
    let digits = 1;
    for (let power = 10; power <= place; power *= 10) digits++;
    records[at] = TEXT + digits;
    for (let i = at + digits, rest = place; i > at; i--) {
      const tenth = (rest / 10) | 0;
      records[i] = 48 + rest - tenth * 10;
      rest = tenth;
    }
    at += digits + 1;
  };

  for (let i = 0; i < numbers.length; i++) {
    const line = i * WORDS;
    let [first, last] = [0, WORDS - 1];
    while (first < last && given[line + first] === 0) first++;
    while (last > first && given[line + last] === 0) last--;
    putPlace(numbers[i]! * LINE + first * 4);
    putPlace(numbers[i]! * LINE + last * 4 + 3);
    records[at++] = last - first + 1;
    for (let word = first; word <= last; word++) {
      const mask = given[line + word]!;
      if (mask === 0) {
        records[at++] = 0;
      } else if ((mask & (mask - 1)) === 0) {
        records[at] = UINT32;
        view.setUint32(at + 1, mask);
        at += 5;
      } else {
        records[at] = DOUBLE;
        view.setFloat64(at + 1, -mask);
        at += 9;
      }
    }
    for (let word = last - first + 1; word < WORDS; word++) records[at++] = 0;
  }
  return records.slice(0, at);
}
