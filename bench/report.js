const COLUMNS = ["add", "hit", "miss"];

/** Over the samples of all rounds. */
export function summary(samples) {
  const sorted = [...samples].sort((a, b) => a - b);
  return { best: sorted[0], median: sorted[sorted.length >> 1] };
}

const figure = (ns) => (ns < 100 ? ns.toFixed(1) : ns.toFixed(0));
const factor = (ratio) => `${ratio < 10 ? ratio.toFixed(2) : ratio.toFixed(0)}×`;
const percent = (rate) => (rate === undefined ? "" : `${(rate * 100).toFixed(2)} %`);
const mebibytes = (bytes) => (bytes === undefined ? "" : `${(bytes / 2 ** 20).toFixed(1)} MiB`);

function table(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  const line = (row) =>
    `| ${row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i]))).join(" | ")} |`;
  const rule = `|${widths.map((width, i) => (i === 0 ? "-".repeat(width + 2) : `${"-".repeat(width + 1)}:`)).join("|")}|`;
  return [line(rows[0]), rule, ...rows.slice(1).map(line)].join("\n");
}

function cell(times, baseline, operation) {
  const own = times?.[operation];
  if (own === undefined) return "";
  const other = baseline?.[operation];
  const ratio = other === undefined ? "" : ` ${factor(other.best / own.best)}`;
  return `${figure(own.best)} / ${figure(own.median)}${ratio}`;
}

/** A suite as a table: ns a key, best / median of all rounds, and how many times as fast as the baseline by the best. */
export function suiteTable(suite, results) {
  const baseline = results.get(suite.baseline)?.times;
  const rows = suite.subjects.map(({ id, adapter }) => {
    const { times, falsePositives, bytes, error } = results.get(id);
    if (error) return [`${id}: FAILED`, "", "", "", "", ""];
    return [
      id,
      ...COLUMNS.map((name) => cell(times, adapter && baseline, name)),
      percent(falsePositives),
      mebibytes(bytes),
    ];
  });
  return table([["ns a key", ...COLUMNS, "false positives", "size"], ...rows]);
}

/** A goal as a line: verdict, figures, what was asked. */
export function goalLine({ suite, operation, subject, than, least, most, own, other, ratio, pass }) {
  const verdict = pass ? "PASS" : "MISS";
  if (!Number.isFinite(ratio)) return `${verdict}  ${suite} ${operation}: ${subject} against ${than}: not measured`;
  const asked = least === undefined ? `at most ${most} × the time` : `at least ${least} ×`;
  return `${verdict}  ${suite} ${operation}: ${subject} (${figure(own)} ns) against ${than} (${figure(other)} ns): ${factor(ratio)}, asked ${asked}`;
}
