import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  resolve: {
    // Tests read the sources; what only a built package can show runs in child processes on dist/.
    alias: [
      { find: /^bloomline$/, replacement: at("src/index.ts") },
      { find: /^bloomline\/node$/, replacement: at("src/node/index.ts") },
      { find: "#backends", replacement: at("src/engine/backends.ts") },
      { find: "#kernels", replacement: at("src/engine/kernels.ts") },
    ],
  },
  test: {
    include: ["test/**/*.test.ts"],
    reporters: ["default", at("test/support/closing-line.ts")],
    // Nothing here asserts a duration; this only ends a test that hangs.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
