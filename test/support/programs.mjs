// Programs that some tests drive. npm test looks for them (and installs them where it may); test files ask needs.ts.

import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** What a program is for, the names it goes by, and the Debian package that has it. */
export const programs = {
  redisServer: { names: ["redis-server"], debian: "redis-server", tests: "the Redis tests" },
  chromium: {
    names: ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"],
    debian: "chromium",
    tests: "the browser tests",
  },
};

/** The path of the first of these names on PATH, or undefined. */
export function find(names) {
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
