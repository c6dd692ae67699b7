// Key number i is made from a bijection of 32 bits, so different numbers are different keys and nothing is in order.
const scramble = (i) => Math.imul(i, 0x9e3779b1) >>> 0;

/** By push, because Array.from leaves an array that the JIT takes for one with holes. */
function list(from, count, make) {
  const keys = [];
  for (let i = from; i < from + count; i++) keys.push(make(scramble(i)));
  return keys;
}

const TAIL = 7;
const latin = {
  prefix: `https://example.com/${"some/rather/long/path/".repeat(4)}`,
  digits: "0123456789abcdefghijklmnopqrstuv",
};
const cjk = {
  prefix: "布隆过滤器回答一个问题这个键可能在集合里吗答案总是快速可靠",
  digits: "天地玄黄宇宙洪荒日月盈昃辰宿列张寒来暑往秋收冬藏闰余成岁律吕调阳",
};

/** Strings of a length: a common beginning and seven base-32 digits. */
function strings({ prefix, digits }, length, from, count) {
  const codes = new Uint16Array(length);
  for (let i = 0; i < length - TAIL; i++) codes[i] = prefix.charCodeAt(i);
  return list(from, count, (scrambled) => {
    let rest = scrambled;
    for (let place = length - 1; place >= length - TAIL; place--) {
      codes[place] = digits.charCodeAt(rest & 31);
      rest >>>= 5;
    }
    // From codes, because a concatenation would be a rope.
    return String.fromCharCode.apply(null, codes);
  });
}

function bigUint64s(from, count) {
  const keys = new BigUint64Array(count);
  const halves = new Uint32Array(keys.buffer);
  for (let i = 0; i < count; i++) halves[2 * i] = scramble(from + i);
  return keys;
}

const makers = {
  latin: (length, from, count) => strings(latin, length, from, count),
  cjk: (length, from, count) => strings(cjk, length, from, count),
  number: (_, from, count) => list(from, count, (n) => n),
  digits: (_, from, count) => list(from, count, String),
  bigUint64: (_, from, count) => bigUint64s(from, count),
};

/** Keys number `from` to `from + count` of a kind; every call makes them anew. */
export const makeKeys = ({ kind, length }, from, count) => makers[kind](length, from, count);

/** The same keys in batches: arrays of arrays, or views of a typed array. */
export function inBatches(keys, size) {
  const cut = ArrayBuffer.isView(keys) ? "subarray" : "slice";
  const batches = [];
  for (let at = 0; at < keys.length; at += size) batches.push(keys[cut](at, at + size));
  return batches;
}
