// What a thread is timed at. Each task is made once for a filter and a thread, and does the same number of operations at
// every run. A run takes some 60 ms or more: long beside the start of a thread and the clock.

/** Keys that are asked for: the first half is in the filter. */
const KEYS = 200_000;
/** Operations of one run: integers, strings in batches, strings one by one, new integers. */
const [INTEGERS, STRINGS, SINGLES, ADDED] = [4_000_000, 1_600_000, 800_000, 2_500_000];
const BATCH = 1000;

/** 30 characters. */
const string = (i) => `https://a.example/${String(i).padStart(12, "0")}`;
const range = (from, count, make) => Array.from({ length: count }, (_, i) => make(from + i));
const batches = (keys) => range(0, keys.length / BATCH, (i) => keys.slice(i * BATCH, (i + 1) * BATCH));

/** Every key once, in an order without pattern; half of them are to be answered with yes. */
const questions = (thread) => range(0, KEYS, (i) => (i * 7919 + thread * 104729) % KEYS);

/** A filter's contents, before the first task. */
export function fill(filter) {
  filter.addMany(Uint32Array.from({ length: KEYS / 2 }, (_, i) => i));
  filter.addMany(range(0, KEYS / 2, string));
}

/** Asks for all batches, over and over. */
function ask(filter, all, operations) {
  const out = new Uint8Array(BATCH);
  const passes = operations / (all.length * BATCH);
  return () => {
    for (let pass = 0; pass < passes; pass++) for (const keys of all) filter.hasMany(keys, out);
    return operations;
  };
}

export const tasks = {
  "look up integers in batches": (filter, thread) =>
    ask(filter, batches(Uint32Array.from(questions(thread))), INTEGERS),
  "look up 30-character strings in batches": (filter, thread) =>
    ask(filter, batches(questions(thread).map(string)), STRINGS),
  "look up 30-character strings one by one": (filter, thread) => {
    const keys = questions(thread).map(string);
    return () => {
      let found = 0;
      for (let pass = 0; pass < SINGLES / KEYS; pass++) for (const key of keys) if (filter.has(key)) found++;
      if (found < SINGLES / 3) throw new Error(`Only ${found} of ${SINGLES} keys were found.`);
      return SINGLES;
    };
  },
  "add integers in batches": (filter, thread) => {
    const all = batches(Uint32Array.from({ length: ADDED }, (_, i) => 1e9 + thread * ADDED + i));
    return () => {
      for (const keys of all) filter.addMany(keys);
      return ADDED;
    };
  },
};

/** Adding is timed on an empty filter, large enough for all that two threads add, lest there be nothing to do. */
export const startsEmpty = (task) => task.startsWith("add");
export const optionsFor = { asking: { capacity: 1_000_000 }, adding: { capacity: 2 * ADDED } };
export const purposeOf = (task) => (startsEmpty(task) ? "adding" : "asking");
