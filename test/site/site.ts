// The page as `npm run site` builds and serves it, opened in a real browser.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { build, type PreviewServer, preview } from "vite";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { launchChromium } from "../support/chromium.js";

export const panels = ["check", "choose", "see", "race"] as const;
export type PanelName = (typeof panels)[number];

const root = fileURLToPath(new URL("../../site", import.meta.url));
export const configFile = join(root, "vite.config.ts");

interface OpenOptions extends BrowserContextOptions {
  readonly panel?: PanelName;
  /** Instead of the headers that the page's own configuration sends. */
  readonly headers?: Record<string, string>;
}

/** Builds the page before the tests of a file; what it returns opens it. A test fails if the page reports an error. */
export function useSite(): (options?: OpenOptions) => Promise<Page> {
  let folder: string;
  let browser: Browser;
  const servers: PreviewServer[] = [];
  const failures: string[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "bloomline-site-"));
    [browser] = await Promise.all([
      launchChromium(),
      build({ configFile, logLevel: "error", build: { outDir: folder, emptyOutDir: true } }),
    ]);
  });

  afterEach(async () => {
    for (const context of browser.contexts()) await context.close();
    expect(failures.splice(0)).toEqual([]);
  });

  afterAll(async () => {
    await browser?.close();
    for (const server of servers) await server.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function serve(headers?: Record<string, string>): Promise<string> {
    const build = { outDir: folder };
    const server = await preview(
      headers
        ? { configFile: false, root, base: "./", build, preview: { host: "127.0.0.1", port: 0, headers } }
        : { configFile, build, preview: { port: 0 } },
    );
    servers.push(server);
    return server.resolvedUrls!.local[0]!;
  }

  return async ({ panel = "check", headers, ...context } = {}) => {
    const url = await serve(headers);
    const page = await (await browser.newContext(context)).newPage();
    page.on("pageerror", (error) => failures.push(error.message));
    page.on("requestfailed", (request) => failures.push(request.url()));
    await page.goto(`${url}#${panel}`);
    await page.locator(`#${panel}-title`).waitFor();
    return page;
  };
}

/** What a person reads of an element: one line, single spaces. */
export async function read(page: Page, selector: string): Promise<string> {
  return (await page.locator(selector).innerText()).replaceAll(/\s+/g, " ").trim();
}

/** Races until the page says how it ended. */
export async function raceToTheEnd(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Start", exact: true }).click();
  await expect.poll(() => read(page, "[data-status]")).toMatch(/done|failed/);
  expect(await read(page, "[data-status]")).toBe("done");
}
