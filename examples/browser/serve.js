// Serves the page, isolated so that its workers can share memory: node examples/browser/serve.js [port]
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/**
 * What a page needs for SharedArrayBuffer.
 * @type {Record<string, string>}
 */
export const isolation = {
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Embedder-Policy": "require-corp",
};

const at = (name) => fileURLToPath(new URL(name, import.meta.url));

/** A server on that port of this machine, any free one unless given, whose answers carry the headers. */
export async function serve({ port = 0, headers = isolation } = {}) {
  const { outputFiles } = await build({
    entryPoints: [at("page.js"), at("worker.js")],
    outdir: at("."),
    bundle: true,
    format: "esm",
    target: "es2022",
    write: false,
  });
  const scripts = new Map(outputFiles.map(({ path, text }) => [path.split(/[\\/]/).pop(), text]));
  const server = createServer(async ({ url }, response) => {
    const name = new URL(url, "http://localhost").pathname.slice(1);
    const script = scripts.get(name);
    if (script === undefined && name !== "") return response.writeHead(404).end();
    response.setHeaders(new Headers({ ...headers, "Content-Type": `text/${script ? "javascript" : "html"}` }));
    response.end(script ?? (await readFile(at("index.html"))));
  });
  await new Promise((resolve) => server.listen(port, "127.0.0.1", resolve));
  return server;
}

if (process.argv[1] === at("serve.js")) {
  const server = await serve({ port: Number(process.argv[2] ?? 0) });
  console.log(`http://127.0.0.1:${server.address().port}/`);
}
