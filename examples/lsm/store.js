// A log-structured merge tree: writes go to memory, then to sorted tables on disk that never change. A read asks the
// bank which tables may hold the key, hashing it once, and looks only there, newest first.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { FilterBank } from "bloomline";
import { DELETED, Table } from "./table.js";

export class Store {
  useFilters = true;
  diskReads = 0;
  #memory = new Map();
  /** By place in the bank; newest last. */
  #tables = new Map();
  #next = 0;

  constructor(folder, { memory, tables }) {
    this.folder = folder;
    this.memory = memory;
    this.geometry = { capacity: memory, errorRate: 0.01 };
    this.bank = new FilterBank({ filters: tables, ...this.geometry });
    for (const name of readdirSync(folder)
      .filter((file) => file.endsWith(".table"))
      .sort()) {
      this.#next = Number.parseInt(name, 10) + 1;
      this.#serve(new Table(join(folder, name)));
    }
  }

  get tables() {
    return this.#tables.size;
  }

  put(key, value) {
    this.#memory.set(key, value);
    if (this.#memory.size >= this.memory) this.flush();
  }

  delete(key) {
    this.put(key, DELETED);
  }

  get(key) {
    if (this.#memory.has(key)) return this.#memory.get(key) ?? undefined;
    const places = this.useFilters ? this.bank.which(key) : this.bank.indices;
    // Places are reused, so age is the order in which tables came.
    const wanted = new Set(places);
    for (const [place, table] of [...this.#tables].reverse()) {
      if (!wanted.has(place)) continue;
      this.diskReads++;
      const value = table.get(key);
      if (value !== undefined) return value ?? undefined;
    }
    return undefined;
  }

  /** Writes what is in memory to a table of its own. */
  flush() {
    if (this.#memory.size === 0) return;
    this.#serve(this.#write([...this.#memory], this.geometry));
    this.#memory.clear();
    if (this.#tables.size === this.bank.filters) this.#mergeTables();
  }

  compact() {
    this.flush();
    this.#mergeTables();
  }

  /** Makes one table of all. A filter of the bank is too small for it, so the bank is made anew. */
  #mergeTables() {
    const all = new Map();
    for (const table of this.#tables.values()) for (const [key, value] of table.entries()) all.set(key, value);
    this.geometry = { ...this.geometry, capacity: Math.max(all.size, this.memory) };
    const table = this.#write(
      [...all].filter(([, value]) => value !== DELETED),
      this.geometry,
    );
    for (const old of this.#tables.values()) old.remove();
    this.#tables.clear();
    this.bank = new FilterBank({ filters: this.bank.filters, ...this.geometry });
    this.#serve(table);
  }

  #write(entries, geometry) {
    entries.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
    return Table.write(join(this.folder, `${String(this.#next++).padStart(6, "0")}.table`), entries, geometry);
  }

  /** A table is asked for from now on: its filter takes a place in the bank. */
  #serve(table) {
    const { lines, hashes, capacity } = table.filter;
    if (lines !== this.bank.filterLines || hashes !== this.bank.hashes) {
      if (this.#tables.size > 0) throw new Error("Tables of two sizes; compact the store first.");
      this.geometry = { ...this.geometry, capacity };
      this.bank = new FilterBank({ filters: this.bank.filters, ...this.geometry });
    }
    const place = this.bank.create();
    this.bank.replace(place, table.filter);
    this.#tables.set(place, table);
  }
}
