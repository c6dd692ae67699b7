// What bloomline does, in about ten seconds: npm start, or with another number of URLs, npm start -- 5000000
import { measure, workOf } from "./tour/measure.js";
import { progress as showProgress } from "./tour/progress.js";
import { report } from "./tour/report.js";
import { subjects } from "./tour/subjects.js";

const keys = Number(process.argv[2] ?? 1_000_000);
const errorRate = 0.01;

const interrupt = new AbortController();
process.once("SIGINT", () => interrupt.abort());

const compared = subjects({ capacity: keys, errorRate });
const progress = showProgress(compared.reduce((sum, subject) => sum + workOf(subject, keys), 0));
try {
  const results = [];
  for (const subject of compared) {
    results.push(await measure(subject, { keys, known: 0, unknown: keys }, { progress, signal: interrupt.signal }));
  }
  progress.stop();
  console.log(report(results, { keys, errorRate }));
} catch (error) {
  progress.stop();
  if (!interrupt.signal.aborted) throw error;
  console.error("Interrupted.");
  process.exitCode = 130;
}
