// One sorted table on disk: records one behind the other, and beside it the Bloom filter of its keys.
import { closeSync, openSync, readFileSync, readSync, rmSync, writeFileSync } from "node:fs";
import { BloomFilter, openFilter } from "bloomline";

/** A value that says: there was one, and it was deleted. */
export const DELETED = null;

/** Records to an entry of the sparse index, which stays in memory. */
const STRIDE = 16;

export class Table {
  constructor(path) {
    this.path = path;
    this.filter = openFilter(readFileSync(`${path}.bloom`));
    this.file = openSync(path, "r");
    this.index = JSON.parse(readFileSync(`${path}.index`, "utf8"));
  }

  /** Writes sorted [key, value] pairs; `geometry` is what all filters of the store have in common. */
  static write(path, entries, geometry) {
    let data = "";
    let bytes = 0;
    const index = [];
    entries.forEach(([key, value], i) => {
      const record = `${JSON.stringify([key, value])}\n`;
      if (i % STRIDE === 0) index.push([key, bytes]);
      data += record;
      bytes += Buffer.byteLength(record);
    });
    index.push([undefined, bytes]);
    writeFileSync(path, data);
    writeFileSync(`${path}.index`, JSON.stringify(index));
    const filter = new BloomFilter(geometry);
    filter.addMany(entries.map(([key]) => key));
    writeFileSync(`${path}.bloom`, filter.toBytes());
    return new Table(path);
  }

  /** The value of a key, DELETED, or undefined; one read of the disk. */
  get(key) {
    let low = 0;
    let high = this.index.length - 2;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.index[middle][0] <= key) low = middle;
      else high = middle - 1;
    }
    return this.#read(this.index[low][1], this.index[low + 1][1]).find(([other]) => other === key)?.[1];
  }

  entries() {
    return this.#read(0, this.index.at(-1)[1]);
  }

  #read(from, to) {
    const bytes = Buffer.alloc(to - from);
    readSync(this.file, bytes, 0, bytes.length, from);
    return bytes
      .toString()
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line));
  }

  remove() {
    closeSync(this.file);
    for (const ending of ["", ".index", ".bloom"]) rmSync(this.path + ending);
  }
}
