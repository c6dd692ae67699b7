import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

export const root = fileURLToPath(new URL("../..", import.meta.url));
const run = promisify(execFile);

export interface ChildOptions {
  /** Where the code runs, and so which packages it sees; this repository unless given. */
  readonly cwd?: string;
  readonly flags?: readonly string[];
}

/**
 * Runs a module in a Node of its own, on the built package, and returns what it passes to `report(value)`. For what
 * must happen before the first import, and for what must be measured in a process without a test runner.
 */
export async function inChild(code: string, { cwd = root, flags = [] }: ChildOptions = {}): Promise<unknown> {
  const report = "const report = (value) => process.stdout.write(JSON.stringify(value));\n";
  const { stdout } = await run(process.execPath, [...flags, "--input-type=module", "--eval", report + code], { cwd });
  return JSON.parse(stdout);
}

/** Runs a program to its end and returns what it printed; it fails with what it complained about. */
export async function runProgram(program: string, args: readonly string[], cwd: string): Promise<string> {
  try {
    return (await run(program, args, { cwd })).stdout;
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${program} ${args.join(" ")}\n${stdout}${stderr}`, { cause: error });
  }
}
