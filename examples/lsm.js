// node examples/lsm.js [keys]: a small LSM store on disk, whose reads skip tables that cannot hold the key.
// It writes in a folder of its own, which it removes, and prints disk reads with and without filters.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Store } from "./lsm/store.js";

const keys = Number(process.argv[2] ?? 20_000);
const folder = mkdtempSync(join(tmpdir(), "bloomline-lsm-"));
try {
  const store = new Store(folder, { memory: 500, tables: 64 });
  const key = (i) => `user:${(i * 7919) % keys}`;
  for (let i = 0; i < keys; i++) store.put(key(i), `value ${i}`);
  for (let i = 0; i < keys; i += 10) store.put(`user:${i}`, `newer ${i}`);
  for (let i = 5; i < keys; i += 100) store.delete(`user:${i}`);
  store.flush();

  const asked = Math.min(keys, 2000);
  for (const filtered of [false, true]) {
    store.diskReads = 0;
    store.useFilters = filtered;
    let found = 0;
    for (let i = 0; i < asked; i++) if (store.get(`user:${i}`) !== undefined) found++;
    const forMembers = store.diskReads;
    store.diskReads = 0;
    for (let i = 0; i < asked; i++) if (store.get(`nobody:${i}`) !== undefined) throw new Error("Found nobody.");
    console.log(
      `${filtered ? "with   " : "without"} filters: ${(forMembers / asked).toFixed(2)} disk reads for a key that was put, ${(store.diskReads / asked).toFixed(2)} for one that was not (${found} of ${asked} found in ${store.tables} tables)`,
    );
  }

  store.compact();
  const again = new Store(folder, { memory: 500, tables: 64 });
  console.log(
    `compacted to ${again.tables} table, opened again: user:10 is ${JSON.stringify(again.get("user:10"))}, user:5 is ${again.get("user:5")}`,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
