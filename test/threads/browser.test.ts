// The example page in a real browser: isolated, not isolated, and where WebAssembly is refused.
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isolation, serve } from "../../examples/browser/serve.js";
import { launchChromium } from "../support/chromium.js";
import { needs } from "../support/needs.js";

describe.skipIf(!needs.chromium)("in Chromium, which must be installed", () => {
  let browser: Browser;
  const servers: Server[] = [];

  beforeAll(async () => {
    browser = await launchChromium();
  });

  afterAll(async () => {
    await browser?.close();
    for (const server of servers) server.close();
  });

  /** What the page reports when it is served with these headers. */
  async function reportWith(headers: Record<string, string>): Promise<string> {
    const server = await serve({ headers });
    servers.push(server);
    const page = await browser.newPage();
    const failures: string[] = [];
    page.on("pageerror", (error) => failures.push(error.message));
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    await page.waitForFunction(() => !document.querySelector("#report")?.textContent?.startsWith("working"));
    const report = await page.textContent("#report");
    await page.close();
    expect(failures).toEqual([]);
    return report as string;
  }

  test("two module workers share one filter in an isolated page", async () => {
    const report = await reportWith(isolation);
    expect(report).toMatch(/^two workers added [\d,]+ keys; each finds 40000 and 40000 of 40000$/);
    // Keys in common are the estimate's only doubt: half a per cent of 40,000.
    const count = Number(/added ([\d,]+)/.exec(report)?.[1]?.replace(",", ""));
    expect(Math.abs(count - 40_000)).toBeLessThan(200);
  });

  test("credentialless isolation will do", async () => {
    expect(await reportWith({ ...isolation, "Cross-Origin-Embedder-Policy": "credentialless" })).toMatch(
      /^two workers/,
    );
  });

  test("without isolation sharing is refused, by the names of the headers, and local filters work", async () => {
    const report = await reportWith({});
    expect(report).toMatch(/^ERR_NOT_ISOLATED: /);
    expect(report).toContain("Cross-Origin-Opener-Policy: same-origin");
    expect(report).toContain("Cross-Origin-Embedder-Policy: require-corp");
    expect(report).toMatch(/: \{ shared: true \} needs .*or send workers toBytes\(\)/);
    expect(report).toMatch(/^local: 1,0 on wasm$/m);
  });

  test("a policy that refuses WebAssembly leaves local filters, in JavaScript", async () => {
    const report = await reportWith({ ...isolation, "Content-Security-Policy": "script-src 'self'" });
    expect(report).toMatch(/^ERR_NO_WASM: /);
    expect(report).toMatch(/^local: 1,0 on js$/m);
  });

  test("the same policy with 'wasm-unsafe-eval' lets all of it through", async () => {
    const policy = "script-src 'self' 'wasm-unsafe-eval'";
    expect(await reportWith({ ...isolation, "Content-Security-Policy": policy })).toMatch(/^two workers/);
  });
});
