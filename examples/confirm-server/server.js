// Answers what UrlChecker's confirm asks, knowing nothing of the URL: node examples/confirm-server/server.js [list.txt [port]]
//
//   POST /v1/hashes   4-byte hash prefixes, end to end
//   200               the listed full hashes that begin with one of them, 32 bytes each, end to end;
//                     Cache-Control and Bloomline-Negative-Seconds say how long the answer holds
//   GET /list.urls, /list.delta   the files that UrlChecker loads, with an ETag
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { buildUrlList, expressions } from "bloomline/safe-browsing";

const PREFIX = 4;
const MOST_PREFIXES = 1000;
const HASH = 32;

/** The listed hashes by their prefix; the exact expression of an entry is the first of its expressions. */
export function indexOf(entries) {
  const index = new Map();
  for (const entry of entries) {
    const hash = createHash("sha256").update(expressions(entry)[0]).digest();
    const prefix = hash.readUInt32BE(0);
    index.set(prefix, [...(index.get(prefix) ?? []), hash]);
  }
  return index;
}

/** The request's bytes, or undefined if they are too many. */
async function bodyOf(request) {
  const chunks = [];
  let length = 0;
  for await (const chunk of request) {
    length += chunk.length;
    if (length > MOST_PREFIXES * PREFIX) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/**
 * A server on 127.0.0.1. `state` may be changed while it runs: `index` says what is listed, `files` what is served under
 * which path. `headers` go with every answer.
 */
export async function serve(state, { port = 0, headers = {}, positiveSeconds = 300, negativeSeconds = 300 } = {}) {
  async function confirm(request, response) {
    const body = await bodyOf(request);
    if (body === undefined || body.length === 0 || body.length % PREFIX !== 0) return response.writeHead(400).end();
    const found = [];
    for (let at = 0; at < body.length; at += PREFIX) found.push(...(state.index.get(body.readUInt32BE(at)) ?? []));
    response.writeHead(200, {
      "Content-Type": "application/octet-stream",
      "Content-Length": found.length * HASH,
      "Cache-Control": `private, max-age=${positiveSeconds}`,
      "Bloomline-Negative-Seconds": negativeSeconds,
    });
    response.end(Buffer.concat(found));
  }

  function send(request, response, { bytes, type = "application/octet-stream" }) {
    const etag = `"${createHash("sha256").update(bytes).digest("base64url")}"`;
    response.setHeader("ETag", etag);
    response.setHeader("Cache-Control", "no-cache");
    if (request.headers["if-none-match"] === etag) return response.writeHead(304).end();
    response.writeHead(200, { "Content-Type": type, "Content-Length": bytes.length }).end(bytes);
  }

  const server = createServer(async (request, response) => {
    try {
      const { pathname } = new URL(request.url, "http://localhost");
      // Pages of other origins may ask, and see the tags and durations.
      response.setHeader("Access-Control-Allow-Origin", "*");
      response.setHeader("Access-Control-Allow-Headers", "Content-Type, If-None-Match");
      response.setHeader("Access-Control-Expose-Headers", "ETag, Bloomline-Negative-Seconds");
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
      if (request.method === "OPTIONS") return response.writeHead(204).end();
      if (pathname === "/v1/hashes" && request.method === "POST") return await confirm(request, response);
      const file = request.method === "GET" && state.files.get(pathname);
      if (file) send(request, response, file);
      else response.writeHead(404).end();
    } catch {
      // The client has gone; there is nobody to answer.
      response.destroy();
    }
  });
  await new Promise((resolve) => server.listen(port, "127.0.0.1", resolve));
  return server;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [path = fileURLToPath(new URL("list.txt", import.meta.url)), port = "8787"] = process.argv.slice(2);
  const entries = (await readFile(path, "utf8")).split(/\r?\n/).filter((line) => line && !line.startsWith("#"));
  const bytes = await buildUrlList(entries, { source: path });
  const server = await serve(
    { index: indexOf(entries), files: new Map([["/list.urls", { bytes }]]) },
    { port: Number(port) },
  );
  console.log(`${entries.length} entries at http://127.0.0.1:${server.address().port}/`);
}
