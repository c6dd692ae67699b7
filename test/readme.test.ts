// The code in the documents is run as a reader would run it, against the built package.
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { transformSync } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
interface Example {
  readonly line: number;
  readonly language: "js" | "ts";
  readonly code: string;
  /** The text block right behind the code, if there is one. */
  readonly output: string | undefined;
}

function examplesIn(markdown: string): Example[] {
  const blocks = markdown.matchAll(/^```(js|ts)\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?/gms);
  return Array.from(blocks, ({ index, 1: language, 2: code, 3: output }) => ({
    line: markdown.slice(0, index).split("\n").length,
    language: language as "js" | "ts",
    code: code as string,
    output,
  }));
}

const documents = ["README.md", ...readdirSync(join(root, "docs")).map((name) => `docs/${name}`)]
  .filter((name) => name.endsWith(".md"))
  .map((name) => ({ name, examples: examplesIn(readFileSync(join(root, name), "utf8")) }))
  .filter(({ examples }) => examples.length > 0);

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "bloomline-examples-"));
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(root, join(folder, "node_modules", "bloomline"), "junction");
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What the code prints; an example that fails rejects. */
async function run({ code, language }: Example, name: string): Promise<string> {
  const file = join(folder, `${name}.mjs`);
  writeFileSync(file, transformSync(code, { loader: language }).code);
  return (await promisify(execFile)(process.execPath, [file], { cwd: folder })).stdout;
}

describe.each(documents)("$name", ({ name, examples }) => {
  test.each(examples)("the example in line $line runs and prints what is written below it", async (example) => {
    const printed = await run(example, `${name.replaceAll("/", "-")}-${example.line}`);
    if (example.output !== undefined) expect(printed).toBe(example.output);
  });
});

test("the README is among the documents with examples", () => {
  expect(documents.map(({ name }) => name)).toContain("README.md");
});
