import { BloomFilter, errorRateAt, sizeFor } from "bloomline";
import { lineOf } from "../list/probes.js";

const BITS = 512;
const STRANGERS = 20_000;
/** Keys are counted from 0; strangers from here. */
const FIRST_STRANGER = 2 ** 31;

/** A filter of about so many lines that keys stream into, and what can be seen of it. */
export class Filling {
  readonly filter: BloomFilter;
  /** How many keys each line has had. */
  readonly keysOfLine: Uint16Array;
  keys = 0;

  constructor(lines: number, errorRate: number) {
    const { bitsPerKey, hashes } = sizeFor(1_000_000, errorRate);
    this.filter = new BloomFilter({ capacity: Math.floor((lines * BITS) / bitsPerKey), bitsPerKey, hashes });
    this.keysOfLine = new Uint16Array(this.filter.lines);
  }

  add(count: number): void {
    const keys = Uint32Array.from({ length: count }, (_, i) => this.keys + i);
    this.filter.addMany(keys);
    for (const key of keys) this.keysOfLine[lineOf(this.filter.hash(key).h1, this.filter.lines)]!++;
    this.keys += count;
  }

  /** How many bits are set in each line: counted in the filter's own bytes. */
  onesOfLine(): Uint16Array {
    const bytes = this.filter.toBytes();
    const words = new Uint32Array(bytes.buffer, bytes.byteOffset + 64, this.filter.lines * 16);
    const ones = new Uint16Array(this.filter.lines);
    for (let i = 0; i < words.length; i++) ones[i >> 4]! += ones32(words[i]!);
    return ones;
  }

  /** The share of strangers that the filter takes for members. */
  measuredRate(): number {
    const strangers = Uint32Array.from({ length: STRANGERS }, (_, i) => FIRST_STRANGER + i);
    return this.filter.hasMany(strangers).reduce((sum, maybe) => sum + maybe, 0) / STRANGERS;
  }

  predictedRate(): number {
    return errorRateAt(this.keys, this.filter.lines, this.filter.hashes);
  }

  /** The share of bits that are set, if lines hold a Poisson number of keys. */
  predictedFill(): number {
    const stays = (1 - 1 / BITS) ** this.filter.hashes;
    return -Math.expm1((this.keys / this.filter.lines) * (stays - 1));
  }
}

function ones32(word: number): number {
  word -= (word >>> 1) & 0x55555555;
  word = (word & 0x33333333) + ((word >>> 2) & 0x33333333);
  return Math.imul((word + (word >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
