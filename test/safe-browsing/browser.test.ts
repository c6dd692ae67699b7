// UrlChecker in a real browser: what only Cache Storage, a policy, or a page can show.
import { createServer, type IncomingMessage, type Server } from "node:http";
import { fileURLToPath } from "node:url";
import { buildUrlDelta, buildUrlList, integrityOf } from "bloomline/safe-browsing";
import { build } from "esbuild";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { isolation } from "../../examples/browser/serve.js";
import { indexOf, serve } from "../../examples/confirm-server/server.js";
import { needs } from "../support/needs.js";
import { badHosts, hexOf, originOf, sha256, stop } from "./support.js";

/** What page.js puts there. */
type Bloomline = typeof import("bloomline") &
  typeof import("bloomline/safe-browsing") &
  typeof import("../../examples/confirm-server/confirm.js");
declare const bloomline: Bloomline;
/** A checker that one step leaves for the next. */
declare let checker: import("bloomline/safe-browsing").UrlChecker;

const INSECURE = "insecure.test";

const html = Buffer.from('<!doctype html><title>test</title><script type="module" src="/page.js"></script>');

describe.skipIf(!needs.chromium)("in Chromium, which must be installed", () => {
  let browser: Browser;
  let script: Uint8Array;
  let context: BrowserContext;
  const servers: Server[] = [];
  const hosts = badHosts(300_000);
  const index = indexOf(hosts);
  let list: Uint8Array<ArrayBuffer>;
  const files = new Map<string, { bytes: Uint8Array }>();
  let lists: Server;
  let listUrl: string;
  /** The bodies of all questions that the confirm server got. */
  const questions: string[] = [];

  beforeAll(async () => {
    browser = await chromium.launch({
      executablePath: needs.chromium as string,
      args: [
        ...["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"],
        // 127.0.0.1 counts as secure by any scheme; by a name it does not.
        `--host-resolver-rules=MAP ${INSECURE} 127.0.0.1`,
      ],
    });
    const { outputFiles } = await build({
      entryPoints: [fileURLToPath(new URL("page.js", import.meta.url))],
      bundle: true,
      format: "esm",
      target: "es2022",
      write: false,
    });
    script = outputFiles[0]!.contents;
    list = await buildUrlList(hosts, { version: "1" });
  });
  afterAll(() => browser?.close());

  async function serveLists(port = 0): Promise<void> {
    lists = await serve({ index, files }, { port });
    lists.prependListener("request", (request: IncomingMessage) => {
      if (request.method !== "POST") return;
      const chunks: Buffer[] = [];
      request.on("data", (chunk) => chunks.push(chunk));
      request.on("end", () => questions.push(`${request.url} ${Buffer.concat(chunks).toString("hex")}`));
    });
    servers.push(lists);
  }

  beforeEach(async () => {
    questions.length = 0;
    files.clear();
    files.set("/list.urls", { bytes: list });
    await serveLists();
    listUrl = `${originOf(lists)}/list.urls`;
    context = await browser.newContext();
  });
  afterEach(async () => {
    await context.close();
    for (const server of servers.splice(0)) stop(server);
  });

  /** A page of its own origin with the package in it. */
  async function openPage(headers: Record<string, string> = {}, host = "127.0.0.1"): Promise<Page> {
    const pages = new Map([
      ["/", { bytes: html, type: "text/html" }],
      ["/page.js", { bytes: script, type: "text/javascript" }],
    ]);
    const server = await serve({ index: new Map(), files: pages }, { headers });
    servers.push(server);
    const page = await context.newPage();
    await visit(page, originOf(server).replace("127.0.0.1", host));
    return page;
  }

  async function visit(page: Page, url: string): Promise<void> {
    await page.goto(url);
    await page.waitForFunction(() => "bloomline" in globalThis);
  }

  /** Loads the list in the page and leaves the checker there; resolves to its error's code, if there is one. */
  function load(page: Page, options: { integrity?: string; delta?: string } = {}): Promise<string | undefined> {
    return page.evaluate(
      async ([url, given]) => {
        const { UrlChecker, confirmWith } = bloomline;
        const confirm = confirmWith(new URL("/v1/hashes", url).href);
        try {
          Object.assign(globalThis, { checker: await UrlChecker.load(url, { confirm, ...given }) });
        } catch (error) {
          return (error as { code: string }).code;
        }
        await checker.stored;
        return undefined;
      },
      [listUrl, options] as const,
    );
  }

  test("a list comes with progress; a check goes to the server with 4 bytes and comes back", async () => {
    const page = await openPage();
    // Each piece is sent once the page has told of the one before.
    const pieces = [10, 50, 1000, 70_000, list.length].map((end, i, ends) => list.subarray(ends[i - 1] ?? 0, end));
    let sendNext = () => {};
    const slow = createServer((_, response) => {
      response.setHeader("Access-Control-Allow-Origin", "*");
      let sent = 0;
      sendNext = () => (sent < pieces.length ? response.write(pieces[sent++]) : response.end());
      sendNext();
    });
    servers.push(slow);
    await new Promise<void>((resolve) => slow.listen(0, "127.0.0.1", resolve));
    const seen: (number | undefined)[][] = [];
    await page.exposeFunction("progressed", (bytes: number, total?: number) => {
      seen.push([bytes, total]);
      if (pieces.some((piece) => bytes === piece.byteOffset + piece.length)) sendNext();
    });
    await page.evaluate(async (url) => {
      const { progressed } = globalThis as unknown as { progressed: (bytes: number, total?: number) => void };
      await bloomline.UrlChecker.load(url, { onProgress: ({ bytes, total }) => progressed(bytes, total) });
    }, originOf(slow));
    // A large piece may arrive in several; what was sent as one is told in between.
    expect(seen.filter(([bytes]) => [10, 50, 1000, 70_000].includes(bytes!))).toEqual([
      [10, undefined],
      [50, undefined],
      [1000, list.length],
      [70_000, list.length],
    ]);
    expect(seen.at(-1)).toEqual([list.length, list.length]);
    expect(seen.map(([bytes]) => bytes)).toEqual(seen.map(([bytes]) => bytes!).sort((a, b) => a - b));

    await load(page);
    const verdicts = await page.evaluate(async () => {
      const urls = ["http://www.bad5.example/a?b", "http://www.bad5.example/other", "http://good.example/"];
      const all = [];
      for (const url of urls) all.push(await checker.check(url));
      return [checker.engine, crossOriginIsolated, await checker.stored, ...all];
    });
    expect(verdicts).toEqual([
      "wasm",
      false,
      true,
      { verdict: "unsafe", matched: "bad5.example/", source: "server" },
      { verdict: "unsafe", matched: "bad5.example/", source: "cache" },
      { verdict: "safe", source: "filter" },
    ]);
    expect(questions).toEqual([`/v1/hashes ${hexOf(sha256("bad5.example/").subarray(0, 4))}`]);
  });

  test("a second start needs no server; what needs one is unknown meanwhile", async () => {
    const page = await openPage();
    const delta = `${originOf(lists)}/list.delta`;
    files.set("/list.delta", { bytes: (await buildUrlDelta(list, { added: ["later.example"], version: "1.1" }))! });
    expect(await load(page, { delta })).toBeUndefined();
    const { port } = new URL(listUrl);
    stop(lists);
    await visit(page, page.url());
    expect(await load(page, { delta })).toBeUndefined();
    const offline = await page.evaluate(async () => [
      checker.info.version,
      checker.mayBeUnsafe("http://later.example/"),
      (await checker.check("http://good.example/")).verdict,
      (await checker.check("http://bad5.example/")).verdict,
      await checker.update().catch((error: Error) => error.name),
      checker.mayBeUnsafe("http://bad5.example/"),
    ]);
    expect(offline).toEqual(["1.1", true, "safe", "unknown", "TypeError", true]);
    await serveLists(Number(port));
    expect(await page.evaluate(() => checker.update())).toBe("unchanged");
  });

  test("updates swap in while checks go on, without a wrong answer in between", async () => {
    const page = await openPage();
    const delta = `${originOf(lists)}/list.delta`;
    await load(page, { delta });
    await page.evaluate(() => {
      const seen = { checks: 0, wrong: 0, stop: false };
      Object.assign(globalThis, { seen });
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        for (let i = 0; i < 50; i++, seen.checks++) {
          if (!checker.mayBeUnsafe(`http://www.bad${seen.checks % 1000}.example/x`)) seen.wrong++;
          if (checker.mayBeUnsafe("http://certainly.not.listed.example/")) seen.wrong++;
        }
        if (!seen.stop) port2.postMessage(0);
      };
      port2.postMessage(0);
    });
    const updates: string[] = [];
    for (const version of ["2", "3", "4"]) {
      const bytes = await buildUrlList(hosts.slice(0, 100_000 * Number(version)), { version });
      files.set("/list.urls", { bytes });
      updates.push(await page.evaluate(() => checker.update()));
      files.set("/list.delta", { bytes: (await buildUrlDelta(bytes, { added: [`new${version}.example`] }))! });
      updates.push(await page.evaluate(() => checker.update()));
      files.delete("/list.delta");
    }
    const seen = await page.evaluate(() => {
      const { seen } = globalThis as unknown as { seen: { checks: number; wrong: number; stop: boolean } };
      seen.stop = true;
      return { ...seen, version: checker.info.entries };
    });
    expect(updates).toEqual(["full", "delta", "full", "delta", "full", "delta"]);
    expect(seen.checks).toBeGreaterThan(100);
    expect([seen.wrong, seen.version]).toEqual([0, 300_001]);
  });

  test("a tampered list is refused, and a tampered copy of it fetched anew", async () => {
    const page = await openPage();
    const integrity = await integrityOf(list);
    const damaged = list.slice();
    damaged[damaged.length - 9]! ^= 4;
    files.set("/list.urls", { bytes: damaged });
    expect(await load(page)).toBe("ERR_CORRUPT");
    expect(await load(page, { integrity })).toBe("ERR_INTEGRITY");
    files.set("/list.urls", { bytes: await buildUrlList(hosts.slice(1)) });
    expect(await load(page, { integrity })).toBe("ERR_INTEGRITY");
    files.set("/list.urls", { bytes: list });
    expect(await load(page, { integrity })).toBeUndefined();
    await page.evaluate(async (url) => {
      const cache = await caches.open("bloomline");
      const bytes = new Uint8Array(await (await cache.match(url))!.arrayBuffer());
      bytes[bytes.length - 9]! ^= 4;
      await cache.put(url, new Response(bytes));
    }, listUrl);
    expect(await load(page)).toBeUndefined();
    expect(await page.evaluate(() => checker.mayBeUnsafe("http://bad5.example/"))).toBe(true);
  });

  test("where a policy refuses WebAssembly the answers are the same, in JavaScript", async () => {
    const page = await openPage({ "Content-Security-Policy": "script-src 'self'" });
    expect(await load(page)).toBeUndefined();
    const answers = await page.evaluate(async () => [
      checker.engine,
      checker.mayBeUnsafe("http://good.example/"),
      await checker.check("http://bad5.example/"),
    ]);
    expect(answers).toEqual(["js", false, { verdict: "unsafe", matched: "bad5.example/", source: "server" }]);
  });

  test("by plain http, without Cache Storage and digests, the list is checked, and what is missing is said", async () => {
    const page = await openPage({}, INSECURE);
    expect(await load(page)).toBeUndefined();
    const answers = await page.evaluate(async () => {
      const { verdict, source, error } = await checker.check("http://bad5.example/");
      return {
        missing: ["caches" in globalThis, "subtle" in crypto],
        stored: await checker.stored,
        clean: await checker.check("http://good.example/"),
        listed: [checker.mayBeUnsafe("http://bad5.example/"), verdict, source],
        reason: (error as Error).message,
      };
    });
    expect(answers).toEqual({
      missing: [false, false],
      stored: false,
      clean: { verdict: "safe", source: "filter" },
      listed: [true, "unknown", "server"],
      reason: expect.stringMatching(/SHA-256 needs crypto\.subtle\. Serve the page by https/),
    });
    expect(questions).toEqual([]);
    expect(await load(page, { integrity: await integrityOf(list) })).toBe("ERR_INSECURE");
  });

  test("isolated or not, in a page and in a worker", async () => {
    for (const headers of [{}, isolation]) {
      const page = await openPage(headers);
      expect(await load(page)).toBeUndefined();
      const answers = await page.evaluate(async (url) => {
        const worker = new Worker("/page.js", { type: "module" });
        const answer = new Promise((resolve) => {
          worker.onmessage = ({ data }) => resolve(data);
        });
        worker.postMessage({ list: url, url: "http://bad5.example/" });
        return [crossOriginIsolated, checker.mayBeUnsafe("http://bad5.example/"), await answer];
      }, listUrl);
      expect(answers).toEqual([headers === isolation, true, ["wasm", true]]);
    }
  });

  test("lists of every kind open, built in the page itself", async () => {
    const page = await openPage();
    const sizes = await page.evaluate(async () => {
      const { BloomFilter, buildUrlList, FuseFilter, GolombSet, UrlChecker } = bloomline;
      const entries = Array.from({ length: 20_000 }, (_, i) => `bad${i}.example`);
      const found = [];
      for (const filter of [BloomFilter, FuseFilter, GolombSet]) {
        const bytes = await buildUrlList(entries, { filter });
        const opened = await UrlChecker.load(bytes, { filters: [FuseFilter, GolombSet] });
        found.push(entries.filter((entry) => opened.mayBeUnsafe(entry)).length);
      }
      return found;
    });
    expect(sizes).toEqual([20_000, 20_000, 20_000]);
  });
});
