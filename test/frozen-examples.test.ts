// The examples of the frozen family, run as a reader would run them.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { FuseFilter } from "bloomline";
import { expect, test } from "vitest";
import { runProgram } from "./support/child.js";

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

test("router.js asks hardly any node in vain", async () => {
  const shown = await output("examples/router.js", "4000");
  expect(shown).toMatch(/^200 of 200 keys found on 40 nodes; 200 that nobody holds were not$/m);
  const requests = Number(/requests to nodes: (\d+), of 16000/.exec(shown)?.[1]);
  // One for each of 200, and 1 % of 40 for each of 400.
  expect(requests).toBeGreaterThanOrEqual(200);
  expect(requests).toBeLessThan(500);
});

test("spell.js finds the slips and guesses what was meant", async () => {
  const shown = await output("examples/spell.js");
  for (const line of [
    /^teh: .*the/m,
    /^wich: .*which/m,
    /^recieve: .*receive/m,
    /^brekfast: .*breakfast/m,
    /^untill: .*until/m,
  ]) {
    expect(shown).toMatch(line);
  }
  expect(shown).toMatch(/ 5 unknown; 104334 words in \d+ bytes/);
});

const shipped = readFileSync(new URL("../examples/spell/american-english.bloom", import.meta.url));

test("the shipped filter holds Debian's words, by their number and by a few of them", () => {
  const filter = FuseFilter.fromBytes(shipped);
  expect(filter.count).toBe(104_334);
  expect(filter.hasMany(["aardvark", "élan", "zebra", "Zyrtec's", "zygote's"]).includes(0)).toBe(false);
  expect(filter.bitsPerKey).toBeLessThan(20);
});
