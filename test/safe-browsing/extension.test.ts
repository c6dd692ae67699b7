// The example extension, loaded in a real browser.
import { mkdtemp, rm } from "node:fs/promises";
import type { Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildUrlList } from "bloomline/safe-browsing";
import { type BrowserContext, chromium } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { indexOf, serve } from "../../examples/confirm-server/server.js";
import { buildExtension } from "../../examples/extension/build.js";
import { needs } from "../support/needs.js";
import { originOf, stop } from "./support.js";

const entries = ["malware.example", "127.0.0.1/evil/"];
const text = (bytes: string) => ({ bytes: Buffer.from(bytes), type: "text/html" });

describe.skipIf(!needs.chromium).each([
  { title: "with the policy of its manifest it runs on WebAssembly", policy: undefined, engine: "wasm" },
  { title: "without a policy it runs on JavaScript", policy: null, engine: "js" },
  {
    title: "with a stricter policy it runs on JavaScript",
    policy: "script-src 'self'; object-src 'self'",
    engine: "js",
  },
])("the extension, in Chromium, which must be installed", ({ title, policy, engine }) => {
  let server: Server;
  let folder: string;
  let context: BrowserContext;

  beforeAll(async () => {
    const files = new Map<string, { bytes: Uint8Array; type?: string }>([
      ["/list.urls", { bytes: await buildUrlList(entries) }],
      ["/evil/page.html", text("evil")],
      ["/good.html", text("good")],
    ]);
    server = await serve({ index: indexOf(entries), files });
    folder = await mkdtemp(join(tmpdir(), "bloomline-extension-"));
    const unpacked = join(folder, "unpacked");
    await buildExtension(unpacked, { server: originOf(server), ...(policy !== undefined && { policy }) });
    context = await chromium.launchPersistentContext(join(folder, "profile"), {
      executablePath: needs.chromium as string,
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--no-first-run",
        "--disable-background-networking",
        `--disable-extensions-except=${unpacked}`,
        `--load-extension=${unpacked}`,
      ],
      ignoreDefaultArgs: ["--disable-extensions"],
    });
  });

  afterAll(async () => {
    await context?.close();
    stop(server);
    await rm(folder, { recursive: true, force: true });
  });

  test(title, async () => {
    const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent("serviceworker"));
    const origin = worker.url().replace("/background.js", "");
    const page = await context.newPage();
    const said = async (url: string) => {
      await page.goto(`${origin}/popup.html?url=${encodeURIComponent(url)}`);
      await page.waitForFunction(() => !document.querySelector("#verdict")?.textContent?.startsWith("checking"));
      return page.textContent("#verdict");
    };
    expect(await said("http://www.malware.example/x")).toBe(
      `unsafe; listed as malware.example/; says the server; engine ${engine}`,
    );
    expect(await said("http://good.example/")).toBe(`safe; says the filter; engine ${engine}`);
    await page.goto(`${originOf(server)}/good.html`);
    expect(await page.textContent("body")).toBe("good");
    // The navigation is cut short by the one to the extension's own page.
    await page.goto(`${originOf(server)}/evil/page.html`).catch(() => {});
    await page.waitForURL(`${origin}/blocked.html?**`);
    expect(await page.textContent("#matched")).toBe("127.0.0.1/evil/");
    stop(server);
    expect(await said("http://other.malware.example/")).toMatch(/^unsafe; .*says the cache/);
    expect(await said("http://127.0.0.1/evil/")).toMatch(/^unsafe; .*says the cache/);
  });
});
