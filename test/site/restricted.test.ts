// The page where something is missing: without shared memory, and without WebAssembly.

import { createServer } from "vite";
import { describe, expect, test } from "vitest";
import { entry } from "../../site/src/list/urls.js";
import { needs } from "../support/needs.js";
import { configFile, raceToTheEnd, read, useSite } from "./site.js";

const isolation = { "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp" };

describe.skipIf(!needs.chromium)("the page, in Chromium, which must be installed", () => {
  const open = useSite();

  test("is served as one edits it with the same headers as when it is built", async () => {
    const server = await createServer({ configFile, logLevel: "error", server: { port: 0, ws: false } });
    await server.listen();
    try {
      const { headers } = await fetch(server.resolvedUrls!.local[0]!);
      for (const [name, value] of Object.entries(isolation)) expect(headers.get(name)).toBe(value);
    } finally {
      await server.close();
    }
  });

  test("as it is served, has both", async () => {
    const page = await open();
    await expect.poll(() => read(page, "#browser")).toMatch(/^WebAssembly: on .* Shared memory: on /);
  });

  test("without isolation, sharing is off, by the names of the headers, and all else works", async () => {
    const page = await open({ panel: "race", headers: {} });
    await expect.poll(() => read(page, "#browser")).toMatch(/^WebAssembly: on .* Shared memory: off /);
    const said = await read(page, "#browser");
    expect(said).toContain("Cross-Origin-Opener-Policy: same-origin");
    expect(said).toContain("Cross-Origin-Embedder-Policy: require-corp");
    expect(await read(page, "[data-off]")).toMatch(/^Shared memory is off\. /);
    expect(await page.getByRole("slider", { name: "Workers on one shared filter" }).isDisabled()).toBe(true);
    await page.getByRole("combobox", { name: "Keys" }).selectOption("10,000");
    await raceToTheEnd(page);
    expect(await page.locator("[data-bars] .name").allInnerTexts()).toEqual([
      "bloomline, wasm",
      "bloomline, JavaScript",
      "npm bloomfilter",
      "Set",
    ]);
  });

  describe("with WebAssembly refused by a policy", () => {
    const headers = { ...isolation, "Content-Security-Policy": "default-src 'self'" };

    test("checks on the JavaScript engine", async () => {
      const page = await open({ headers });
      await expect
        .poll(() => read(page, "#browser"))
        .toMatch(/^WebAssembly: off .*'wasm-unsafe-eval'.* Shared memory: off /);
      await page.getByLabel("URL", { exact: true }).fill(`http://${entry(4)}`);
      await expect.poll(() => read(page, ".verdict")).toMatch(/Maybe unsafe .* Verdict Unsafe .* On the list/);
    });

    test("says so where workers are refused as well", async () => {
      const page = await open({ headers: { "Content-Security-Policy": "default-src 'self'; worker-src 'none'" } });
      await expect.poll(() => read(page, "[data-result]")).toMatch(/^The list could not be made: /);
    });

    test("chooses and draws", async () => {
      const page = await open({ headers, panel: "choose" });
      await page.locator("[data-curve] canvas").waitFor();
    });

    test("fills lines", async () => {
      const page = await open({ headers, panel: "see" });
      await page.getByRole("button", { name: "Add 1,000" }).click();
      expect(await read(page, "[data-count]")).toMatch(/^1,000 of /);
    });

    test("races without the wasm engine, and says why", async () => {
      const page = await open({ headers, panel: "race" });
      await page.getByRole("combobox", { name: "Keys" }).selectOption("10,000");
      await raceToTheEnd(page);
      expect(await page.locator("[data-bars] .name").allInnerTexts()).toEqual([
        "bloomline, JavaScript",
        "npm bloomfilter",
        "Set",
        "bloomline, wasm",
      ]);
      expect(await read(page, "[data-bars] .missing")).toContain("refused");
      expect(await read(page, "[data-off]")).toMatch(/^WebAssembly is off\. .* Shared memory is off\. /);
    });
  });
});
