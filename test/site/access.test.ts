// The page by keyboard, on a phone, in the dark, and as axe-core sees it.

import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AxeResults } from "axe-core";
import type { BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { entry } from "../../site/src/list/urls.js";
import { needs } from "../support/needs.js";
import { type PanelName, panels, raceToTheEnd, read, useSite } from "./site.js";

const axe = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

const looks: Record<string, BrowserContextOptions> = {
  light: { colorScheme: "light" },
  dark: { colorScheme: "dark" },
  phone: { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true },
};

/** Makes a panel show all that it can show. */
const fill: Record<PanelName, (page: Page) => Promise<void>> = {
  async check(page) {
    await page.getByRole("button", { name: "A page of a listed site" }).click();
    await page.locator(".badge.bad").first().waitFor();
    await page.getByLabel("URLs, one a line").fill(`http://${entry(3)}\nhttp://example.org/\nhttp://`);
    await page.getByRole("button", { name: "Check all" }).click();
    await page.locator("[data-table] tbody tr").first().waitFor();
  },
  async choose(page) {
    await page.locator("[data-curve] canvas").waitFor();
  },
  async see(page) {
    for (let i = 0; i < 10; i++) await page.getByRole("button", { name: "Add 1,000" }).click();
  },
  async race(page) {
    await page.getByRole("combobox", { name: "Keys" }).selectOption("10,000");
    await raceToTheEnd(page);
  },
};

describe.skipIf(!needs.chromium)("the page, in Chromium, which must be installed", () => {
  const open = useSite();
  let pictures: string;

  beforeAll(async () => {
    pictures = process.env.SITE_PICTURES ?? (await mkdtemp(join(tmpdir(), "bloomline-pictures-")));
  });
  afterAll(async () => {
    if (!process.env.SITE_PICTURES) await rm(pictures, { recursive: true, force: true });
  });

  describe.each(Object.keys(looks))("%s", (look) => {
    test.each(panels)("%s has no serious fault that axe-core knows, and fits the window", async (panel) => {
      const page = await open({ panel, ...looks[look] });
      await fill[panel](page);
      await page.screenshot({ path: join(pictures, `${panel}-${look}.png`), fullPage: true });
      // A phone zooms out from what is too wide, and innerWidth grows with it; the screen does not.
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      expect(width).toBeLessThanOrEqual(page.viewportSize()!.width);
      await page.addScriptTag({ path: axe });
      const { violations } = await page.evaluate(() =>
        (globalThis as unknown as { axe: { run(): Promise<AxeResults> } }).axe.run(),
      );
      const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
      expect(serious.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)])).toEqual([]);
    });
  });

  test("dark and light are different pictures of the same page", async () => {
    const brightness = async (colorScheme: "light" | "dark") => {
      const page = await open({ colorScheme });
      const colour = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      return Math.max(...colour.match(/\d+/g)!.map(Number));
    };
    expect(await brightness("light")).toBeGreaterThan(220);
    expect(await brightness("dark")).toBeLessThan(60);
    const picture = (look: string) => readFile(join(pictures, `see-${look}.png`));
    expect((await picture("light")).equals(await picture("dark"))).toBe(false);
  });

  describe("by keyboard alone", () => {
    /** Presses Tab until the element of that name has the focus. */
    async function tabTo(page: Page, name: string): Promise<void> {
      for (let i = 0; i < 60; i++) {
        await page.keyboard.press("Tab");
        const focused = await page.evaluate(() => {
          const element = document.activeElement as HTMLInputElement;
          return element.labels?.[0]?.textContent ?? element.ariaLabel ?? element.textContent ?? "";
        });
        if (focused.replaceAll(/\s+/g, " ").trim().startsWith(name)) return;
      }
      throw new Error(`Tab does not reach “${name}”`);
    }

    test("the panels are reached, and the skip link is first", async () => {
      const page = await open();
      await page.keyboard.press("Tab");
      expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Skip to the panel");
      for (const panel of ["Choose", "See", "Race", "Check"]) {
        await page.evaluate(() => document.querySelector<HTMLElement>(".skip")!.focus());
        await tabTo(page, panel);
        await page.keyboard.press("Enter");
        await page.locator(`#${panel.toLowerCase()}-title`).waitFor();
        expect(await page.evaluate(() => document.activeElement?.id)).toBe(`${panel.toLowerCase()}-title`);
      }
    });

    test("a URL is checked, by hand and by example", async () => {
      const page = await open();
      await tabTo(page, "URL");
      await page.keyboard.press("Control+A");
      await page.keyboard.type(`http://${entry(4)}`);
      await page.keyboard.press("Enter");
      await expect.poll(() => read(page, ".verdict")).toMatch(/On the list/);
      await tabTo(page, "A clean one");
      await page.keyboard.press("Space");
      await expect.poll(() => read(page, ".verdict")).toMatch(/Not on the list/);
    });

    test("sliders slide", async () => {
      const page = await open({ panel: "choose" });
      await tabTo(page, "Keys");
      await page.keyboard.press("Home");
      await expect.poll(() => read(page, "[data-code]")).toContain("capacity: 100,");
      await page.keyboard.press("ArrowRight");
      await expect.poll(() => read(page, "[data-code]")).toContain("capacity: 110,");
    });

    test("keys stream and pause", async () => {
      const page = await open({ panel: "see" });
      await tabTo(page, "Stream keys");
      await page.keyboard.press("Space");
      await expect.poll(() => read(page, "[data-count]")).not.toMatch(/^0 of/);
      await page.keyboard.press("Space");
      await page.getByRole("button", { name: "Stream keys" }).waitFor();
    });

    test("a race is started and stopped", async () => {
      const page = await open({ panel: "race" });
      await tabTo(page, "Start");
      await page.keyboard.press("Enter");
      await tabTo(page, "Stop");
      await page.keyboard.press("Enter");
      await expect.poll(() => read(page, "[data-status]")).toBe("stopped");
    });
  });
});
