// Bundles the extension to a folder that "Load unpacked" takes: node examples/extension/build.js [folder [server]]
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const at = (name) => fileURLToPath(new URL(name, import.meta.url));

/**
 * Where the server is, and the content security policy of pages and worker: the manifest's own unless given, null for none.
 * @param {string} folder
 * @param {{ server?: string, policy?: string | null }} options
 */
export async function buildExtension(folder, { server = "http://127.0.0.1:8787", policy } = {}) {
  await mkdir(folder, { recursive: true });
  await build({
    entryPoints: [at("background.js")],
    outdir: folder,
    bundle: true,
    minify: true,
    format: "esm",
    target: "chrome116",
    define: { SERVER: JSON.stringify(server) },
  });
  for (const name of ["popup.html", "popup.js", "blocked.html", "blocked.js"]) await cp(at(name), join(folder, name));
  const manifest = JSON.parse(await readFile(at("manifest.json"), "utf8"));
  if (policy === null) delete manifest.content_security_policy;
  else if (policy !== undefined) manifest.content_security_policy.extension_pages = policy;
  await writeFile(join(folder, "manifest.json"), JSON.stringify(manifest, null, 2));
}

if (process.argv[1] === at("build.js")) {
  const [folder = at("unpacked"), server] = process.argv.slice(2);
  await buildExtension(folder, { server });
  console.log(`Load unpacked from ${folder}`);
}
