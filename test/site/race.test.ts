// The panel "Race", used as a person would use it. Who wins depends on the machine, and is not asserted.

import { describe, expect, test } from "vitest";
import { needs } from "../support/needs.js";
import { raceToTheEnd, read, useSite } from "./site.js";

describe.skipIf(!needs.chromium)("Race, in Chromium, which must be installed", () => {
  const open = useSite();

  test.each([true, false])("four sets and a shared filter race to the end; in batches: %s", async (batch) => {
    const page = await open({ panel: "race" });
    const most = await page.evaluate(() => Math.min(navigator.hardwareConcurrency, 8));
    await page.getByRole("combobox", { name: "Keys" }).selectOption("10,000");
    await page.getByLabel("in batches").setChecked(batch);
    await page.getByRole("slider", { name: "Workers on one shared filter" }).fill(String(most));
    await raceToTheEnd(page);
    const items = page.locator("[data-bars] li");
    const names = await items.locator(".name").allInnerTexts();
    expect(names.slice(0, 4)).toEqual(["bloomline, wasm", "bloomline, JavaScript", "npm bloomfilter", "Set"]);
    expect(names.length).toBe(4 + most);
    expect(names.at(-1)).toMatch(new RegExp(`^bloomline, shared by ${most} workers?$`));
    for (const ratio of await items.locator(".ratio").allInnerTexts()) expect(ratio).toMatch(/^[\d.,]+ ×$/);
    expect(await items.nth(2).locator(".ratio").innerText()).toBe("1 ×");
    expect(await items.nth(3).innerText()).toContain("keeps every key · 0 % wrong");
    // Filters of one sort hold the same bits: their wrong answers are the same ones.
    const wrong = (await items.allInnerTexts()).map((text) => /([\d.]+) % wrong/.exec(text)?.[1]);
    expect(Number(wrong[0])).toBeGreaterThan(0.7);
    expect(Number(wrong[0])).toBeLessThan(1.3);
    expect(new Set([wrong[0], wrong[1], ...wrong.slice(4)]).size).toBe(1);
  });

  test("a race can be stopped, and started again", async () => {
    const page = await open({ panel: "race" });
    await page.getByRole("combobox", { name: "Keys" }).selectOption("1,000,000");
    await page.getByRole("button", { name: "Start", exact: true }).click();
    await page.getByRole("button", { name: "Stop" }).click();
    await expect.poll(() => read(page, "[data-status]")).toBe("stopped");
    await expect.poll(() => page.workers().length).toBe(0);
    await page.getByRole("combobox", { name: "Keys" }).selectOption("10,000");
    await raceToTheEnd(page);
  });
});
