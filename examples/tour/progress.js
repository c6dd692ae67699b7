import { SingleBar } from "cli-progress";

/** On a terminal a bar that moves; elsewhere one line for each step. Both go to stderr, so that stdout has the result alone. */
export function progress(total) {
  return process.stderr.isTTY ? bar(total) : lines();
}

function bar(total) {
  const bar = new SingleBar({
    format: "{bar} {percentage} %  {step}",
    barCompleteChar: "█",
    barIncompleteChar: "░",
    barsize: 30,
    hideCursor: true,
    clearOnComplete: true,
    // The tour itself handles Ctrl-C.
    gracefulExit: false,
  });
  bar.start(total, 0, { step: "" });
  return {
    step: (name) => bar.update({ step: name }),
    advance: (by) => bar.increment(by),
    stop: () => bar.stop(),
  };
}

function lines() {
  return {
    step: (name) => process.stderr.write(`${name}\n`),
    advance() {},
    stop() {},
  };
}
