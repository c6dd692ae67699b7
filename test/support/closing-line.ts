import type { Reporter, SerializedError, TestModule } from "vitest/node";

/** Ends the run with one plain line that people and programs read alike. */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    // An error outside every test, such as a file that does not load, is a failure like any other.
    const count = { passed: 0, failed: unhandled.length, skipped: 0, pending: 0 };
    for (const module of modules) {
      for (const test of module.children.allTests()) count[test.result().state]++;
      for (const suite of module.children.allSuites()) count.failed += suite.errors().length;
      count.failed += module.errors().length;
    }
    const { passed, failed, skipped, pending } = count;
    process.stdout.write(`${passed} passed, ${failed} failed, ${skipped + pending} skipped\n`);
  }
}
