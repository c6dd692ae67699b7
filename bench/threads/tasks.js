// What a thread is timed at. Each task is made once for a filter and a thread, and does the same number of operations at
// every run. A run takes some three milliseconds: shorter than the time a thread keeps its core on a busy machine.

/** Keys that are asked for: the first half is in the filter. */
const KEYS = 200_000;
/** Operations of one run: integers, strings in batches, strings one by one. */
const [INTEGERS, STRINGS, SINGLES] = [100_000, 30_000, 15_000];
const BATCH = 1000;

/** 30 characters. */
const string = (i) => `https://a.example/${String(i).padStart(12, "0")}`;
const range = (from, count, make) => Array.from({ length: count }, (_, i) => make(from + i));
const batches = (keys) => range(0, keys.length / BATCH, (i) => keys.slice(i * BATCH, (i + 1) * BATCH));

/** Questions in an order without pattern, about half of them to be answered with yes. */
const questions = (count, thread) => range(0, count, (i) => (i * 7919 + thread * 104729) % KEYS);

/** A filter's contents, before the first task. */
export function fill(filter) {
  filter.addMany(Uint32Array.from({ length: KEYS / 2 }, (_, i) => i));
  filter.addMany(range(0, KEYS / 2, string));
}

function ask(filter, all) {
  const out = new Uint8Array(BATCH);
  return () => {
    for (const keys of all) filter.hasMany(keys, out);
    return all.length * BATCH;
  };
}

export const tasks = {
  "look up integers in batches": (filter, thread) =>
    ask(filter, batches(Uint32Array.from(questions(INTEGERS, thread)))),
  "look up 30-character strings in batches": (filter, thread) =>
    ask(filter, batches(questions(STRINGS, thread).map(string))),
  "look up 30-character strings one by one": (filter, thread) => {
    const keys = questions(SINGLES, thread).map(string);
    return () => {
      let found = 0;
      for (const key of keys) if (filter.has(key)) found++;
      if (found < SINGLES / 3) throw new Error(`Only ${found} of ${SINGLES} keys were found.`);
      return SINGLES;
    };
  },
  "add integers in batches": (filter, thread) => {
    const all = batches(Uint32Array.from({ length: INTEGERS }, (_, i) => 1e9 + thread * INTEGERS + i));
    return () => {
      for (const keys of all) filter.addMany(keys);
      return INTEGERS;
    };
  },
};

/** Adding is timed on an empty filter, lest there be nothing to do. */
export const startsEmpty = (task) => task.startsWith("add");
