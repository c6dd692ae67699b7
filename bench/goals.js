// What bloomline means to reach, as ratios of times measured side by side.
const OPERATIONS = ["add", "hit", "miss"];

/** One string a call, by Node's major version; a version in between takes the one before it. */
const SINGLE_STRING = new Map([
  [24, 1.5],
  [22, 2],
  [20, 1.15],
]);

const singleStringGoal = (version) =>
  [...SINGLE_STRING].find(([major]) => Number.parseInt(version, 10) >= major)?.[1] ?? 1.15;

const faster = (suite, subject, than, least, operations = OPERATIONS) =>
  operations.map((operation) => ({ suite, operation, subject, than, least }));

const goalsFor = (version) => [
  ...faster("strings-30", "bloomline, one by one", "bloomfilter, one by one", singleStringGoal(version)),
  ...faster("strings-30", "bloomline, batches", "bloomfilter, one by one", 2.8),
  ...faster("strings-30", "bloomline, one by one", "bloom-filters, one by one", 80),
  ...faster("integers", "bloomline, one by one", "bloomfilter, one by one", 2.5),
  ...faster("integers", "bloomline, BigUint64Array batches", "bloomfilter, one by one", 5),
  ...["hit", "miss"].flatMap((operation) =>
    ["bloomline, BigUint64Array batches", "bloomline, number[] batches"].flatMap((subject) => [
      { suite: "large", operation, subject, than: "floor", thanOperation: "hit", most: 1.5 },
      ...faster("large", subject, "bloomline, numbers one by one", 3, [operation]),
    ]),
  ),
  ...faster("large", "bloomline, string batches", "bloomfilter, strings one by one", 4, ["hit"]),
];

/**
 * Judges the goals of the suites that ran. `best(suite, subject, operation)` is a time in ns a key, or undefined where
 * a subject failed: then the goal is missed, not dropped.
 */
export function judge(version, suiteNames, best) {
  return goalsFor(version)
    .filter(({ suite }) => suiteNames.includes(suite))
    .map((goal) => {
      const { suite, operation, subject, than, thanOperation = operation, least, most } = goal;
      const own = best(suite, subject, operation);
      const other = best(suite, than, thanOperation);
      const ratio = least === undefined ? own / other : other / own;
      return { ...goal, own, other, ratio, pass: least === undefined ? ratio <= most : ratio >= least };
    });
}
