import { BloomFilter } from "../../dist/index.js";

const answers = new Uint8Array(1000);
const PREFILL_BATCH = 1 << 16;

export default {
  name: "bloomline",
  create: (capacity, errorRate) => new BloomFilter({ capacity, errorRate, engine: "wasm" }),
  add: (filter, key) => filter.add(key),
  has: (filter, key) => filter.has(key),
  addMany: (filter, keys) => filter.addMany(keys),
  hasMany: (filter, keys) => filter.hasMany(keys, answers),
  bytes: (filter) => filter.byteLength,

  prefill(filter, count) {
    const keys = new BigUint64Array(PREFILL_BATCH);
    const halves = new Uint32Array(keys.buffer);
    // 2^52 and up, where no measured integer lies.
    for (let i = 0; i < PREFILL_BATCH; i++) halves[2 * i + 1] = 1 << 20;
    for (let from = 0; from < count; from += PREFILL_BATCH) {
      const size = Math.min(PREFILL_BATCH, count - from);
      for (let i = 0; i < size; i++) halves[2 * i] = from + i;
      filter.addMany(size === PREFILL_BATCH ? keys : keys.subarray(0, size));
    }
  },
};
