import { HASH_WORDS, HashedKeys } from "./hashed-keys.js";

const HEAD = 0;
const TAIL = 1;
const COUNTERS = 2;

/**
 * Keys on their way to Redis: a bounded ring of hashes in memory that threads can share. Any thread puts keys in; one
 * takes them out, and only once Redis has acknowledged them.
 */
export class Ring {
  readonly size: number;
  /** Counters that run on, modulo 2^32; then for each place the turn in which it was filled. */
  private readonly counters: Int32Array;
  private readonly turns: Int32Array;
  private readonly words: Uint32Array;

  /** `size` places, a power of two. */
  constructor(readonly buffer: SharedArrayBuffer) {
    this.size = (buffer.byteLength - COUNTERS * 4) / (4 + HASH_WORDS * 4);
    this.counters = new Int32Array(buffer, 0, COUNTERS);
    this.turns = new Int32Array(buffer, COUNTERS * 4, this.size);
    this.words = new Uint32Array(buffer, (COUNTERS + this.size) * 4);
  }

  static of(size: number): Ring {
    return new Ring(new SharedArrayBuffer(COUNTERS * 4 + size * (4 + HASH_WORDS * 4)));
  }

  get head(): number {
    return Atomics.load(this.counters, HEAD);
  }

  get tail(): number {
    return Atomics.load(this.counters, TAIL);
  }

  get waiting(): number {
    return (this.head - this.tail) >>> 0;
  }

  /** False: it is full. */
  put(high1: number, low2: number, high2: number): boolean {
    for (;;) {
      const { head } = this;
      if ((head - this.tail) >>> 0 >= this.size) return false;
      if (Atomics.compareExchange(this.counters, HEAD, head, (head + 1) | 0) !== head) continue;
      const place = (head >>> 0) % this.size;
      this.words[place * HASH_WORDS] = high1;
      this.words[place * HASH_WORDS + 1] = low2;
      this.words[place * HASH_WORDS + 2] = high2;
      Atomics.store(this.turns, place, (head + 1) | 0);
      return true;
    }
  }

  /** The oldest keys, up to so many; they stay until `drop`. */
  peek(most: number): HashedKeys {
    const { tail } = this;
    const n = Math.min(most, this.waiting);
    const words = new Uint32Array(n * HASH_WORDS);
    for (let i = 0; i < n; i++) {
      const place = ((tail + i) >>> 0) % this.size;
      // Another thread has this place and is still writing: up to here, then.
      if (Atomics.load(this.turns, place) !== ((tail + i + 1) | 0))
        return new HashedKeys(words.slice(0, i * HASH_WORDS));
      words.set(this.words.subarray(place * HASH_WORDS, (place + 1) * HASH_WORDS), i * HASH_WORDS);
    }
    return new HashedKeys(words);
  }

  drop(n: number): void {
    Atomics.store(this.counters, TAIL, (this.tail + n) | 0);
  }
}
