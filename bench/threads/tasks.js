// What a thread is timed at. Each task is made once for a filter and a thread, and does the same number of operations at
// every run.

/** Keys that all threads ask for: the first half is in the filter. */
export const KEYS = 200_000;
/** Keys that a thread adds in one run: no two threads the same. */
const ADDS = 400_000;
const BATCH = 1000;

/** 30 characters. */
const string = (i) => `https://a.example/${String(i).padStart(12, "0")}`;
const range = (from, count, make) => Array.from({ length: count }, (_, i) => make(from + i));
const batches = (keys) => range(0, keys.length / BATCH, (i) => keys.slice(i * BATCH, (i + 1) * BATCH));

/** Questions in an order without pattern, half of them answered with yes. */
const shuffled = (thread) => range(0, KEYS, (i) => (i * 7919 + thread * 104729) % KEYS);

/** A filter's contents, before the first task. */
export function fill(filter) {
  filter.addMany(Uint32Array.from({ length: KEYS / 2 }, (_, i) => i));
  filter.addMany(range(0, KEYS / 2, string));
}

function ask(filter, all) {
  const out = new Uint8Array(BATCH);
  return () => {
    for (const keys of all) filter.hasMany(keys, out);
    return KEYS;
  };
}

export const tasks = {
  "look up integers in batches": (filter, thread) => ask(filter, batches(Uint32Array.from(shuffled(thread)))),
  "look up 30-character strings in batches": (filter, thread) => ask(filter, batches(shuffled(thread).map(string))),
  "look up 30-character strings one by one": (filter, thread) => {
    const keys = shuffled(thread).map(string);
    return () => {
      let found = 0;
      for (const key of keys) if (filter.has(key)) found++;
      if (found < KEYS / 2) throw new Error(`Only ${found} of ${KEYS / 2} keys were found.`);
      return KEYS;
    };
  },
  "add integers in batches": (filter, thread) => {
    const all = batches(Uint32Array.from({ length: ADDS }, (_, i) => 1e9 + thread * ADDS + i));
    return () => {
      for (const keys of all) filter.addMany(keys);
      return ADDS;
    };
  },
};

/** Adding is timed on an empty filter, lest there be nothing to do. */
export const startsEmpty = (task) => task.startsWith("add");
