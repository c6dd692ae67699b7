// The examples of the frozen family, run as a reader would run them.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { FuseFilter } from "bloomline";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runProgram } from "./support/child.js";
import { needs } from "./support/needs.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const output = (...args: string[]) => runProgram(process.execPath, args, root);

test("lsm.js reads less from the disk with filters, and the same", async () => {
  const shown = await output("examples/lsm.js", "6000");
  const reads = [
    ...shown.matchAll(/filters: (\S+) disk reads .* put, (\S+) for .* \((\d+) of 2000 found in (\d+) tables/g),
  ];
  const [without, using] = reads.map(([, ...figures]) => figures.map(Number)) as [number[], number[]];
  expect(without[2]).toBe(1980);
  expect(using[2]).toBe(1980);
  expect(without[3]).toBeGreaterThan(10);
  expect(without[1]).toBe(without[3]);
  expect(using[0]).toBeLessThan(1.5);
  expect(using[1]).toBeLessThan(0.02 * using[3]!);
  expect(shown).toMatch(/compacted to 1 table, opened again: user:10 is "newer 10", user:5 is undefined/);
});

test("lsm.js makes room when it has no place for another table", async () => {
  const shown = await output("examples/lsm.js", "40000");
  expect(shown.match(/\(1980 of 2000 found in (\d|[1-5]\d|6[0-3]) tables\)/g)).toHaveLength(2);
  expect(shown).toMatch(/compacted to 1 table, opened again: user:10 is "newer 10", user:5 is undefined/);
});

test("router.js asks hardly any node in vain", async () => {
  const shown = await output("examples/router.js", "4000");
  expect(shown).toMatch(/^200 of 200 keys found on 40 nodes; 200 that nobody holds were not$/m);
  const requests = Number(/requests to nodes: (\d+), of 16000/.exec(shown)?.[1]);
  // One for each of 200, and 1 % of 40 for each of 400.
  expect(requests).toBeGreaterThanOrEqual(200);
  expect(requests).toBeLessThan(500);
});

describe.skipIf(!needs.wordList)("spell.js", () => {
  const folder = mkdtempSync(join(tmpdir(), "bloomline-spell-"));
  const file = join(folder, "words.bloom");
  const text = join(folder, "text");
  const words = () => readFileSync(needs.wordList!, "utf8").split("\n").filter(Boolean);

  beforeAll(() => output("examples/spell/build.js", needs.wordList!, file));
  afterAll(() => rmSync(folder, { recursive: true }));

  test("finds the slips and guesses what was meant", async () => {
    writeFileSync(text, "Teh fox, wich did not recieve it's brekfast untill ten o'clock.");
    const shown = await output("examples/spell.js", text, file);
    for (const line of [
      /^Teh: .*the/m,
      /^wich: .*which/m,
      /^recieve: .*receive/m,
      /^brekfast: .*breakfast/m,
      /^untill: .*until/m,
    ]) {
      expect(shown).toMatch(line);
    }
    expect(shown).toMatch(new RegExp(` 5 unknown; ${words().length} words in \\d+ bytes`));
  });

  test("knows every word of the list, in less than 20 bits each", () => {
    const filter = FuseFilter.fromBytes(readFileSync(file));
    expect(filter.hasMany(words()).includes(0)).toBe(false);
    expect(filter.bitsPerKey).toBeLessThan(20);
  });

  test("says what to do where the filter or the list is missing", async () => {
    const nowhere = join(folder, "nowhere");
    await expect(output("examples/spell.js", text, nowhere)).rejects.toThrow(
      `There is no filter at ${nowhere}. Make it with node examples/spell/build.js.`,
    );
    await expect(output("examples/spell/build.js", nowhere)).rejects.toThrow(
      /nowhere\. Install the Debian package wamerican/,
    );
  });
});
