// What is measured. A suite has one scale and several subjects; a subject is one process a round.
const LARGE_BYTES = 256 * 2 ** 20;

const scales = {
  full: {
    small: { capacity: 1_000_000, sample: 1_000_000 },
    // As large as the floor's memory: 200 million keys measured 237.7 MiB.
    large: { capacity: 215_000_000, integers: 4_000_000, strings: 2_000_000, floorBytes: LARGE_BYTES },
    rounds: 3,
    iterations: 5,
    warmups: 2,
  },
  quick: {
    small: { capacity: 20_000, sample: 20_000 },
    large: { capacity: 1_000_000, integers: 50_000, strings: 50_000, floorBytes: LARGE_BYTES / 128 },
    rounds: 1,
    iterations: 3,
    warmups: 1,
  },
};

export const BASELINE = "bloomfilter";
const COMPETITORS = ["idiomatic", BASELINE, "bloom-filters", "mnemonist"];

const one = (adapter, keys, form = "one by one") => ({ id: `${adapter}, ${form}`, adapter, keys, batched: false });
const many = (adapter, keys, form = "batches") => ({ id: `${adapter}, ${form}`, adapter, keys, batched: true });

function stringSubjects(kind, length) {
  const keys = { kind, length };
  return [
    many("bloomline", keys),
    one("bloomline", keys),
    many("bloomline-js", keys),
    one("bloomline-js", keys),
    ...COMPETITORS.map((adapter) => one(adapter, keys)),
    one("set", keys),
  ];
}

function integerSubjects() {
  const numbers = { kind: "number" };
  const bigUint64s = { kind: "bigUint64" };
  return [
    ...["bloomline", "bloomline-js"].flatMap((adapter) => [
      many(adapter, bigUint64s, "BigUint64Array batches"),
      many(adapter, numbers, "number[] batches"),
      one(adapter, numbers),
    ]),
    // These take strings only; theirs are made before the clock starts.
    ...COMPETITORS.map((adapter) => one(adapter, { kind: "digits" })),
    one("set", numbers),
  ];
}

function largeSubjects({ integers, strings, floorBytes }) {
  const text = { kind: "latin", length: 30 };
  const withSample = (sample, subjects) => subjects.map((subject) => ({ ...subject, sample, prefilled: true }));
  return [
    { id: "floor", script: "floor.js", sample: integers, bytes: floorBytes },
    ...withSample(integers, [
      many("bloomline", { kind: "bigUint64" }, "BigUint64Array batches"),
      many("bloomline", { kind: "number" }, "number[] batches"),
      one("bloomline", { kind: "number" }, "numbers one by one"),
    ]),
    ...withSample(strings, [
      many("bloomline", text, "string batches"),
      one("bloomline", text, "strings one by one"),
      one("idiomatic", text, "strings one by one"),
      one(BASELINE, text, "strings one by one"),
    ]),
  ];
}

/** Every suite at full or quick scale: name -> { title, baseline, subjects }. */
export function suitesAt(quick) {
  const { small, large, rounds, iterations, warmups } = scales[quick ? "quick" : "full"];
  const suite = (name, title, scale, subjects, baseline) => ({
    name,
    title: `${title}; filters for ${scale.capacity.toLocaleString("en")} keys at 1 %`,
    baseline,
    subjects: subjects.map((subject) => ({
      script: "measure.js",
      capacity: scale.capacity,
      sample: scale.sample,
      errorRate: 0.01,
      iterations,
      warmups,
      ...subject,
    })),
  });
  const smallSuite = (name, title, subjects) => suite(name, title, small, subjects, `${BASELINE}, one by one`);
  return {
    rounds,
    suites: [
      smallSuite("strings-8", "Strings of 8 characters", stringSubjects("latin", 8)),
      smallSuite("strings-30", "Strings of 30 characters", stringSubjects("latin", 30)),
      smallSuite("strings-100", "Strings of 100 characters", stringSubjects("latin", 100)),
      smallSuite("cjk-30", "Strings of 30 CJK characters", stringSubjects("cjk", 30)),
      smallSuite("integers", "32-bit integers", integerSubjects()),
      suite("large", "A filter far beyond the caches", large, largeSubjects(large), `${BASELINE}, strings one by one`),
    ],
  };
}
