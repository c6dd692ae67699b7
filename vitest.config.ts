import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

// Threads that race need two cores: while another test has one of them, plain stores lose nothing, and the control of the
// race proves nothing.
const races = ["test/threads/contention.test.ts", "test/threads/deleting.test.ts"];

export default defineConfig({
  resolve: {
    // Tests use the package as it is built; those of single rooms read the sources.
    alias: [
      { find: /^bloomline$/, replacement: at("dist/index.js") },
      { find: /^bloomline\/(guard|interop|node|redis|safe-browsing)$/, replacement: at("dist/$1/index.js") },
    ],
  },
  test: {
    projects: [
      { extends: true, test: { name: "races", include: races, maxWorkers: 1, sequence: { groupOrder: 0 } } },
      {
        extends: true,
        test: { name: "all else", include: ["test/**/*.test.ts"], exclude: races, sequence: { groupOrder: 1 } },
      },
    ],
    setupFiles: [at("test/support/equal-bytes.ts")],
    reporters: ["default", at("test/support/closing-line.ts")],
    // Of two cores, vitest would leave one idle.
    maxWorkers: "100%",
    // Nothing here asserts a duration; these only end a test that hangs.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
