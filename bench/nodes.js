import { execFileSync } from "node:child_process";

const ask = (command, args) => execFileSync(command, args, { encoding: "utf8", shell: process.platform === "win32" });

/** A Node to measure on: "current", or a version that the npm package `node` provides. */
export function findNode(wanted) {
  const path =
    wanted === "current"
      ? process.execPath
      : ask("npx", ["--yes", `--package=node@${wanted}`, "--", "node", "-p", "process.execPath"]).trim();
  return { path, version: ask(path, ["--version"]).trim().slice(1) };
}
