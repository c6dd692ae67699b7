const NAME = 17;
const COLUMN = 9;

function row(name, ...cells) {
  return name.padEnd(NAME) + cells.map((cell) => cell.padStart(COLUMN)).join("");
}

/** The headings of two groups of three columns. */
function groups(...headings) {
  return "".padEnd(NAME) + headings.map((heading) => heading.padStart(3 * COLUMN)).join("");
}

function millions({ perSecond }) {
  return (perSecond / 1e6).toFixed(1);
}

function speeds(passes) {
  return passes ? [passes.add, passes.known, passes.unknown].map(millions) : ["–", "–", "–"];
}

/** What was measured, as text. */
export function report(results, { keys, errorRate }) {
  const passesOf = ({ single, batch }) => (batch ? [single, batch] : [single]);
  const filters = results.filter((result) => result.batch);
  const missed = filters.flatMap(passesOf).reduce((sum, { known }) => sum + (keys - known.yes), 0);
  const rates = filters.flatMap(passesOf).map(({ unknown }) => unknown.yes / keys);
  const percent = (rate) => `${(rate * 100).toFixed(3)} %`;
  const [least, most] = [Math.min(...rates), Math.max(...rates)].map(percent);
  return [
    `${keys.toLocaleString("en")} URLs, Node ${process.version}; million keys a second`,
    "",
    groups("one by one", "in batches"),
    row("", "add", "known", "unknown", "add", "known", "unknown", "memory"),
    ...results.map(({ name, single, batch, memory }) =>
      row(name, ...speeds(single), ...speeds(batch), `${(memory / 1e6).toFixed(1)} MB`),
    ),
    "",
    `False positives  ${least === most ? least : `${least} to ${most}`} of unknown URLs, asked for at most ${percent(errorRate)}`,
    `False negatives  ${missed}`,
    "",
    "Memory is what the heap and the memories outside it grew by while the keys were added. A filter keeps no key;",
    "Set keeps them all, so its figure is its table and the strings in it.",
  ].join("\n");
}
