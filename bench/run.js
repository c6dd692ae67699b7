// Measures every subject in its own process, the rounds interleaved, and prints tables and goals.
import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { parseArgs, promisify } from "node:util";
import { SingleBar } from "cli-progress";
import { judge } from "./goals.js";
import { findNode } from "./nodes.js";
import { buildProbe } from "./probe.js";
import { goalLine, suiteTable, summary } from "./report.js";
import { suitesAt } from "./suites.js";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: "boolean", default: false },
    node: { type: "string", default: "current" },
    rounds: { type: "string" },
  },
});

const { suites: all, rounds: usual } = suitesAt(values.quick);
const unknown = positionals.filter((name) => !all.some((suite) => suite.name === name));
const rounds = Number(values.rounds ?? usual);
if (unknown.length > 0 || !Number.isInteger(rounds) || rounds < 1) {
  console.error(
    unknown.length > 0
      ? `No suite is called ${unknown.join(", ")}; there are ${all.map(({ name }) => name).join(", ")}.`
      : `--rounds is ${values.rounds}; it must be a whole number from 1 up.`,
  );
  process.exit(2);
}
const suites = positionals.length === 0 ? all : all.filter(({ name }) => positionals.includes(name));

const run = promisify(execFile);
const folder = new URL(".", import.meta.url);
mkdirSync(new URL("results/", folder), { recursive: true });
buildProbe();
const nodes = values.node.split(",").map(findNode);

async function measure(node, { script, ...task }) {
  try {
    const { stdout } = await run(node.path, [script, JSON.stringify(task)], { cwd: folder });
    return JSON.parse(stdout);
  } catch (error) {
    return { error: String(error.stderr || error.message).trim() };
  }
}

// Node version -> suite -> subject -> the results of its rounds.
const measured = new Map(
  nodes.map(({ version }) => [
    version,
    new Map(suites.map(({ name, subjects }) => [name, new Map(subjects.map(({ id }) => [id, []]))])),
  ]),
);

const steps = rounds * nodes.length * suites.reduce((sum, { subjects }) => sum + subjects.length, 0);
const bar = new SingleBar({ format: "{bar} {value}/{total} {what}", noTTYOutput: true, notTTYSchedule: 15_000 });
bar.start(steps, 0, { what: "" });
for (let round = 1; round <= rounds; round++) {
  for (const suite of suites) {
    for (const subject of suite.subjects) {
      for (const node of nodes) {
        bar.update({ what: `round ${round}: ${suite.name}, ${subject.id}, Node ${node.version}` });
        measured
          .get(node.version)
          .get(suite.name)
          .get(subject.id)
          .push(await measure(node, subject));
        bar.increment();
      }
    }
  }
}
bar.stop();

/** All rounds of a subject in one; a round that failed fails the subject. */
function pooled(results) {
  const failed = results.find(({ error }) => error);
  if (failed) return failed;
  const [{ falsePositives, bytes, samples }] = results;
  const times = Object.fromEntries(
    Object.keys(samples).map((name) => [name, summary(results.flatMap((result) => result.samples[name]))]),
  );
  return { times, falsePositives, bytes };
}

const STARVED = 0.9;
const shares = [...measured.values()].flatMap((bySuite) =>
  [...bySuite.values()].flatMap((subjects) => [...subjects.values()].flat().map(({ cpuShare }) => cpuShare)),
);
const starved = shares.filter((share) => share < STARVED).length;

const failures = [];
const report = { date: new Date().toISOString(), cpu: cpus()[0]?.model, quick: values.quick, rounds, nodes: [] };
for (const { version } of nodes) {
  const bySuite = new Map();
  for (const suite of suites) {
    const results = new Map([...measured.get(version).get(suite.name)].map(([id, list]) => [id, pooled(list)]));
    bySuite.set(suite.name, results);
    for (const [id, { error }] of results) if (error) failures.push(`Node ${version}, ${suite.name}, ${id}: ${error}`);
    console.log(`\n${suite.title}. Node ${version}.\n${suiteTable(suite, results)}`);
  }
  const goals = judge(
    version,
    suites.map(({ name }) => name),
    (suite, subject, operation) => bySuite.get(suite).get(subject)?.times?.[operation]?.best,
  );
  if (goals.length > 0) {
    console.log(
      `\nGoals, Node ${version}, by the best of ${rounds} round${rounds === 1 ? "" : "s"}${values.quick ? " (quick: proves nothing)" : ""}`,
    );
    for (const goal of goals) console.log(goalLine(goal));
  }
  report.nodes.push({
    version,
    suites: suites.map(({ name, title }) => ({
      name,
      title,
      subjects: Object.fromEntries(
        [...measured.get(version).get(name)].map(([id, list]) => [id, { ...bySuite.get(name).get(id), rounds: list }]),
      ),
    })),
    goals,
  });
}

const file = new URL(`results/${report.date.replaceAll(":", "-")}.json`, folder);
writeFileSync(file, `${JSON.stringify(report, null, 2)}\n`);
console.log(`\nAll samples: bench/results/${report.date.replaceAll(":", "-")}.json`);
if (starved > 0) {
  console.log(
    `WARNING: ${starved} of ${shares.length} processes had less than ${STARVED} of a core (least ${Math.min(...shares.filter(Number.isFinite)).toFixed(2)}). Others were using the machine; measure again when it is quiet.`,
  );
}
if (failures.length > 0) {
  console.error(`\nFailed:\n${failures.join("\n")}`);
  process.exitCode = 1;
}
