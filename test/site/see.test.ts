// The panel "See", used as a person would use it.

import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { needs } from "../support/needs.js";
import { read, useSite } from "./site.js";

describe.skipIf(!needs.chromium)("See, in Chromium, which must be installed", () => {
  const open = useSite();

  const keys = async (page: Page) => Number((await read(page, "[data-count]")).split(" ")[0]!.replaceAll(",", ""));

  /** How many colours the heat map has, and how many squares. */
  const colours = (page: Page) =>
    page.locator("[data-map]").evaluate((canvas) => {
      const { width, height } = canvas as HTMLCanvasElement;
      const { data } = (canvas as HTMLCanvasElement).getContext("2d")!.getImageData(0, 0, width, height);
      return { squares: width * height, colours: new Set(new Uint32Array(data.buffer)).size };
    });

  /** Seen and predicted, as numbers. */
  async function fact(page: Page, name: string): Promise<[number, number]> {
    const cells = await page.locator("[data-facts] tr", { hasText: name }).locator("td").allInnerTexts();
    return cells.map((text) => Number.parseFloat(text.replaceAll(",", ""))) as [number, number];
  }

  test("keys that are added colour the lines, as Poisson predicts", async () => {
    const page = await open({ panel: "see" });
    expect(await keys(page)).toBe(0);
    expect(await colours(page)).toEqual({ squares: 4096, colours: 1 });
    for (let i = 0; i < 20; i++) await page.getByRole("button", { name: "Add 1,000" }).click();
    expect(await keys(page)).toBe(20_000);
    expect((await colours(page)).colours).toBeGreaterThan(20);
    // The keys are always the same, and so is what is seen of them.
    const [spread, predicted] = await fact(page, "standard deviation");
    expect(Math.abs(spread / predicted - 1)).toBeLessThan(0.05);
    const [counted, added] = await fact(page, "Keys, from the bits");
    expect(added).toBe(20_000);
    expect(Math.abs(counted / added - 1)).toBeLessThan(0.01);
    const [set, expected] = await fact(page, "Bits set");
    expect(Math.abs(set - expected)).toBeLessThan(0.1);
  });

  test("a stream can be started, paused and started over", async () => {
    const page = await open({ panel: "see" });
    await page.getByRole("button", { name: "Stream keys" }).click();
    await expect.poll(() => keys(page)).toBeGreaterThan(2000);
    await page.getByRole("button", { name: "Pause" }).click();
    const paused = await keys(page);
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    expect(await keys(page)).toBe(paused);
    await page.getByRole("button", { name: "Start over" }).click();
    expect(await keys(page)).toBe(0);
  });

  test("it runs on to three times the capacity and stops; the rate has risen as predicted", async () => {
    const page = await open({ panel: "see" });
    await page.getByRole("combobox", { name: "Lines" }).selectOption("1,024");
    await page.getByRole("combobox", { name: "Error rate" }).selectOption("10 %");
    await page.getByRole("slider", { name: "Keys a frame" }).fill("3.5");
    await page.getByRole("button", { name: "Stream keys" }).click();
    await expect.poll(() => read(page, "[data-count]")).toMatch(/, 300 %$/);
    await page.getByRole("button", { name: "Stream keys" }).waitFor();
    const [measured, predicted] = await fact(page, "Wrong answers");
    expect(predicted).toBeGreaterThan(40);
    expect(Math.abs(measured - predicted)).toBeLessThan(2.5);
  });

  test("a stream stops when another panel is opened", async () => {
    const page = await open({ panel: "see" });
    await page.getByRole("button", { name: "Stream keys" }).click();
    await expect.poll(() => keys(page)).toBeGreaterThan(0);
    await page.getByRole("link", { name: "Choose" }).click();
    await page.locator("#choose-title").waitFor();
    await page.getByRole("link", { name: "See" }).click();
    await page.getByRole("button", { name: "Stream keys" }).waitFor();
  });
});
