import { defineConfig } from "vite";

/** What a page needs for SharedArrayBuffer; a host of the static build has to send the same. */
const headers = {
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Embedder-Policy": "require-corp",
};

export default defineConfig({
  root: import.meta.dirname,
  // Relative addresses, so that the build can lie in any folder of a host.
  base: "./",
  build: { outDir: "dist", emptyOutDir: true },
  worker: { format: "es" },
  server: { host: "127.0.0.1", headers },
  preview: { host: "127.0.0.1", headers },
});
