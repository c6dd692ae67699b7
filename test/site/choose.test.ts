// The panel "Choose", used as a person would use it.

import { errorRateAt, sizeFor } from "bloomline";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { bytes, digits, rate } from "../../site/src/format.js";
import { needs } from "../support/needs.js";
import { read, useSite } from "./site.js";

describe.skipIf(!needs.chromium)("Choose, in Chromium, which must be installed", () => {
  const open = useSite();

  const row = (page: Page, name: string) =>
    page
      .locator("[data-kinds] tr")
      .filter({ has: page.getByRole("rowheader", { name: new RegExp(`^${name}`) }) })
      .locator("td.number")
      .allInnerTexts();

  const expected = (keys: number, errorRate: number, lookups: number) => {
    const { bitsPerKey, byteLength, hashes, errorRate: real } = sizeFor(keys, errorRate);
    const perUrl = 1 - (1 - real) ** lookups;
    // The head of 64 bytes is part of the size, but of no weight among a million keys.
    expect(digits((8 * byteLength) / keys)).toBe(digits(bitsPerKey));
    return [digits(bitsPerKey), bytes(byteLength), String(hashes), rate(real), rate(perUrl)];
  };

  test("sliders size every kind, and say what a check of a URL risks", async () => {
    const page = await open({ panel: "choose" });
    await expect.poll(() => row(page, "BloomFilter")).toEqual(expected(1_000_000, 1e-4, 4));
    expect((await row(page, "ClassicBloomFilter"))[0]).toBe("19.2");
    expect(await read(page, "[data-code]")).toBe("new BloomFilter({ capacity: 1_000_000, errorRate: 0.0001 })");

    await page.getByRole("slider", { name: "Keys" }).fill("7");
    await page.getByRole("slider", { name: "Error rate" }).fill("2");
    await page.getByRole("slider", { name: "Lookups per URL" }).fill("30");
    await expect.poll(() => row(page, "BloomFilter")).toEqual(expected(10_000_000, 0.01, 30));
    await expect.poll(() => read(page, "[data-hint]")).toContain("asks 30 times");
    expect(await read(page, "[data-code]")).toBe("new BloomFilter({ capacity: 10_000_000, errorRate: 0.01 })");
  });

  test("what is too large for a filter says so", async () => {
    const page = await open({ panel: "choose" });
    await page.getByRole("slider", { name: "Keys" }).fill("9");
    await page.getByRole("slider", { name: "Error rate" }).fill("8");
    await expect
      .poll(() => read(page, "[data-kinds] tr:first-child"))
      .toMatch(/^BloomFilter .*capacity is 1000000000; .* 4 GiB/);
  });

  test("the overfill curve is drawn, and its figures are the library's", async () => {
    const page = await open({ panel: "choose" });
    const { lines, hashes } = sizeFor(1_000_000, 1e-4);
    const figures = [0.5, 1, 1.25, 1.5, 2, 3].map((x) => rate(errorRateAt(x * 1e6, lines, hashes)));
    await expect.poll(() => page.locator("[data-rates] tr").first().locator("td").allInnerTexts()).toEqual(figures);
    const picture = () =>
      page.locator("[data-curve] canvas").evaluate((canvas) => (canvas as HTMLCanvasElement).toDataURL());
    const before = await picture();
    await page.getByRole("slider", { name: "Error rate" }).fill("2");
    await expect.poll(picture).not.toBe(before);
  });
});
