// Keys as JavaScript leaves them in the staging area -> keys as the batches want them.

/** n u32 -> n u64, in place, from the end. */
export function widenU32(at: usize, n: u32): void {
  for (let i = n; i-- > 0; ) store<u64>(at + (i << 3), load<u32>(at + (i << 2)));
}

/**
 * n strings were joined and encoded as UTF-8 in one go; offsets[i] is where string i begins, in UTF-16 units. Walks the
 * bytes and turns units into bytes. Returns 0 where a surrogate pair spans two strings: joining them made one character
 * of two halves, so these strings must be encoded one by one.
 */
export function splitUtf8(bytes: usize, offsets: usize, n: u32): u32 {
  let at = bytes;
  let from: u32 = 0;
  for (const end = offsets + (n << 2); offsets < end; ) {
    offsets += 4;
    const to = load<u32>(offsets);
    while (from < to) {
      const lead = load<u8>(at);
      const astral = u32(lead >= 0xf0);
      at += 1 + u32(lead >= 0xc0) + u32(lead >= 0xe0) + astral;
      from += 1 + astral;
    }
    if (from > to) return 0;
    store<u32>(offsets, <u32>(at - bytes));
  }
  return 1;
}
