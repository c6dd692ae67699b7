// The programs in examples/ that share a filter, run as a reader would run them; the page is in browser.test.ts.
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";

async function output(name: string, argument: number): Promise<string> {
  const path = fileURLToPath(new URL(`../../examples/${name}`, import.meta.url));
  return (await promisify(execFile)(process.execPath, [path, String(argument)])).stdout;
}

describe.each([
  { name: "worker-threads.js", missed: "Keys missed by any worker: 0" },
  { name: "piscina.js", missed: "Keys missed: 0" },
])("$name", ({ name, missed }) => {
  test("adds every key once and finds it from every thread", async () => {
    const shown = await output(name, 20_000);
    const counted = Number(/added 20000 keys; the filter counts (\d+)\./.exec(shown)?.[1]);
    // The estimate is good to about a third of a per cent here; this is five times that.
    expect(Math.abs(counted - 20_000)).toBeLessThan(350);
    expect(shown.split("\n")).toContain(missed);
  });
});

test("hot-reload.js: readers swap as often as the writer publishes, and are never told a wrong no", async () => {
  const line = 'reader: 8 reloads while asking, wrong "no": 0\n';
  expect(await output("hot-reload.js", 8)).toBe(line.repeat(2));
});
