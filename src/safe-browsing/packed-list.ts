import type { PackedKeys } from "../keys/batch.js";

/** ASCII strings end to end, so that millions of them are one array and not millions of objects. */
export class PackedList {
  #bytes = new Uint8Array(1 << 16);
  #offsets = new Uint32Array(1 << 12);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(text: string): void {
    const at = this.#offsets[this.#length]!;
    const end = at + text.length;
    if (end > 0xffffffff) throw new RangeError("The entries take more than 4 GiB. Use several lists.");
    if (end > this.#bytes.length) this.#bytes = grown(this.#bytes, end);
    for (let i = 0; i < text.length; i++) this.#bytes[at + i] = text.charCodeAt(i);
    if (++this.#length === this.#offsets.length) this.#offsets = grown(this.#offsets, this.#length + 1);
    this.#offsets[this.#length] = end;
  }

  keys(): PackedKeys {
    return { bytes: this.#bytes, offsets: this.#offsets.subarray(0, this.#length + 1) };
  }

  *[Symbol.iterator](): Generator<string, void> {
    const decoder = new TextDecoder();
    for (let i = 0; i < this.#length; i++) {
      yield decoder.decode(this.#bytes.subarray(this.#offsets[i], this.#offsets[i + 1]));
    }
  }
}

function grown<T extends Uint8Array | Uint32Array>(array: T, least: number): T {
  const larger = new (array.constructor as new (length: number) => T)(Math.max(array.length * 2, least));
  larger.set(array);
  return larger;
}
