// Two ways side by side: what the machine does meanwhile happens to both.

const ROUNDS = 7;

function time(work) {
  const start = process.hrtime.bigint();
  work();
  return Number(process.hrtime.bigint() - start);
}

function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[sorted.length >> 1];
}

/** Runs all subjects in turns, after one turn that does not count. Returns the median time of each, in ns. */
export function sideBySide(subjects, rounds = ROUNDS) {
  const times = Object.fromEntries(Object.keys(subjects).map((name) => [name, []]));
  for (let round = 0; round <= rounds; round++) {
    for (const [name, work] of Object.entries(subjects)) {
      const took = time(work);
      if (round > 0) times[name].push(took);
    }
  }
  return Object.fromEntries(Object.entries(times).map(([name, list]) => [name, median(list)]));
}

let missed = 0;

/** Prints whether a figure is within its goal. */
export function judge(what, figure, goal, { atLeast = false, unit = "×" } = {}) {
  const met = atLeast ? figure >= goal : figure <= goal;
  if (!met) missed++;
  console.log(
    `${met ? "PASS" : "MISS"}  ${what}: ${figure.toFixed(2)} ${unit}, ${atLeast ? "at least" : "at most"} ${goal}`,
  );
}

export function finish() {
  if (missed > 0) process.exitCode = 1;
}
