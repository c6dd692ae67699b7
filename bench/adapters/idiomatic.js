import { halfFill } from "./half-fill.js";

function finish(hash, length) {
  hash ^= length;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}

/**
 * The classic Bloom filter as a careful JavaScript programmer writes it: MurmurHash3_x86_32 over the char codes, one
 * typed array, double hashing.
 */
class IdiomaticBloomFilter {
  constructor(capacity, errorRate) {
    const bits = Math.ceil((-capacity * Math.log(errorRate)) / Math.LN2 ** 2);
    this.words = new Uint32Array(Math.ceil(bits / 32));
    this.hashes = Math.max(1, Math.round((bits / capacity) * Math.LN2));
    // A multiplication takes a 32-bit hash to a position faster than a modulo does.
    this.scale = (this.words.length * 32) / 2 ** 32;
    this.step = 0;
  }

  /**
   * Returns the first hash and leaves the second in `step`. A block is mixed the same way for every seed, so one pass
   * over the key serves both.
   */
  hash(key) {
    const length = key.length;
    const even = length & ~1;
    let a = 0;
    let b = 0x9747b28c;
    for (let i = 0; i < even; i += 2) {
      let block = Math.imul(key.charCodeAt(i) | (key.charCodeAt(i + 1) << 16), 0xcc9e2d51);
      block = Math.imul((block << 15) | (block >>> 17), 0x1b873593);
      a ^= block;
      a = (Math.imul((a << 13) | (a >>> 19), 5) + 0xe6546b64) | 0;
      b ^= block;
      b = (Math.imul((b << 13) | (b >>> 19), 5) + 0xe6546b64) | 0;
    }
    if (even < length) {
      let block = Math.imul(key.charCodeAt(even), 0xcc9e2d51);
      block = Math.imul((block << 15) | (block >>> 17), 0x1b873593);
      a ^= block;
      b ^= block;
    }
    this.step = finish(b, 2 * length) | 1;
    return finish(a, 2 * length);
  }

  add(key) {
    const { words, hashes, scale } = this;
    let hash = this.hash(key);
    const step = this.step;
    for (let i = 0; i < hashes; i++) {
      const bit = ((hash >>> 0) * scale) >>> 0;
      words[bit >>> 5] |= 1 << (bit & 31);
      hash = (hash + step) | 0;
    }
  }

  has(key) {
    const { words, hashes, scale } = this;
    let hash = this.hash(key);
    const step = this.step;
    for (let i = 0; i < hashes; i++) {
      const bit = ((hash >>> 0) * scale) >>> 0;
      if ((words[bit >>> 5] & (1 << (bit & 31))) === 0) return false;
      hash = (hash + step) | 0;
    }
    return true;
  }
}

export default {
  name: "idiomatic",
  create: (capacity, errorRate) => new IdiomaticBloomFilter(capacity, errorRate),
  add: (filter, key) => filter.add(key),
  has: (filter, key) => filter.has(key),
  bytes: (filter) => filter.words.byteLength,
  prefill: (filter) => halfFill(filter.words),
};
