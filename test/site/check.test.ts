// The panel "Check", used as a person would use it.

import { sizeFor } from "bloomline";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { entry, stranger } from "../../site/src/list/urls.js";
import { canonicalize, expressions } from "../../src/safe-browsing/index.js";
import suffixes from "../../src/safe-browsing/suffixes.js";
import { Model } from "../support/model.js";
import { needs } from "../support/needs.js";
import { read, useSite } from "./site.js";

const ENTRIES = 100_000;

describe.skipIf(!needs.chromium)("Check, in Chromium, which must be installed", () => {
  const open = useSite();

  async function check(page: Page, url: string): Promise<string> {
    await page.getByLabel("URL", { exact: true }).fill(url);
    await page.getByRole("button", { name: "Check", exact: true }).click();
    const host = url.slice(url.indexOf("//") + 2, -1);
    await page.locator("[data-result]", { hasText: host }).waitFor();
    return read(page, "[data-result]");
  }

  test("a page of a listed site is maybe, then unsafe, and the truth is that it is listed", async () => {
    const page = await open();
    const site = entry(400).slice(0, -1);
    const url = `HTTP://me:secret@www.${site.replace("a", "%61")}.:8080/a/./b/../c.html?q=1#top`;
    await page.getByLabel("URL", { exact: true }).fill(url);
    await expect
      .poll(() => read(page, ".verdict"))
      .toMatch(/Maybe unsafe .* Verdict Unsafe .* confirms it\. .* On the list/);
    const shown = await read(page, "[data-result]");
    expect(shown).toContain(canonicalize(url));
    expect(shown).toMatch(/Time per check [\d.]+ (ns|µs)/);
    expect(await page.locator(".expressions code").allInnerTexts()).toEqual(expressions(url));
    const listed = page.locator(".expressions li", { hasText: "truth: listed" });
    expect(await listed.locator("code").allInnerTexts()).toEqual([`${site}/`]);
  });

  test("lines and bits are those that the specification says", async () => {
    const page = await open();
    const url = `https://${entry(8).slice(0, -1)}/a/b`;
    await check(page, url);
    const { lines, hashes } = sizeFor(ENTRIES, 1e-4);
    const model = new Model({ lines, hashes, seed: 0n });
    for (let i = 0; i < ENTRIES; i++) model.add(entry(i));
    const items = await page.locator(".expressions li").all();
    expect(items.length).toBe(3);
    for (const item of items) {
      const positions = model.positions(model.hash(await item.locator("code").innerText()));
      const isSet = (at: number) => ((model.bits[Math.floor(at / 8)]! >> (at % 8)) & 1) === 1;
      const line = Math.floor(positions[0]! / 512);
      expect(await item.locator(".place").innerText()).toBe(`line ${line.toLocaleString("en")}`);
      const marks = positions.map((at) => `${isSet(at) ? "●" : "○"}\u202f${at % 512}`);
      expect(await item.locator(".positions > span").allInnerTexts()).toEqual(marks);
      const answer = positions.every(isSet) ? "maybe" : "no";
      expect(await item.locator(".badge").first().innerText()).toBe(answer);
    }
  });

  test("a clean one is safe, and that is the truth", async () => {
    const page = await open();
    expect(await check(page, stranger(12))).toMatch(
      /^Filter Safe .* Verdict Safe Not on the list; nobody was asked\. Truth Not on the list The filter is right\./,
    );
  });

  test.each(["listed", "deep", "disguised"])("the example “%s” is on the list", async (name) => {
    const page = await open();
    await page.locator(`[data-try=${name}]`).click();
    await expect.poll(() => read(page, ".verdict")).toMatch(/Maybe unsafe .* Verdict Unsafe .* On the list/);
  });

  test("a false positive can be found, is called one, and is safe by the server's word", async () => {
    const page = await open();
    await page.getByLabel("Error rate per lookup").selectOption("5 %");
    await page.getByRole("button", { name: "A false positive" }).click();
    await expect
      .poll(() => read(page, ".verdict"))
      .toMatch(
        /Maybe unsafe .* Verdict Safe The server, told 4 bytes of a hash, knows better\. .* Not on the list A false positive/,
      );
    expect(await page.locator(".expressions li", { hasText: "truth: a false positive" }).count()).toBeGreaterThan(0);
  });

  test("what has no host gets a reason", async () => {
    const page = await open();
    await page.getByLabel("URL", { exact: true }).fill("http://.../path");
    await expect.poll(() => read(page, "[data-result]")).toMatch(/^Not a URL\. .*host/);
  });

  test("version 5 knows the Public Suffix List", async () => {
    const page = await open();
    const url = "https://a.b.alice.github.io/";
    await check(page, url);
    const shown = () => page.locator(".expressions code").allInnerTexts();
    expect(await shown()).toEqual(expressions(url, { version: 4 }));
    await page.getByLabel("version 5").check();
    const five = expressions(url, { version: 5, suffixes });
    expect(five).not.toEqual(expressions(url, { version: 4 }));
    await expect.poll(shown).toEqual(five);
  });

  test("many at once are counted, timed and shown", async () => {
    const page = await open();
    await page.getByLabel("URLs, one a line").fill(`http://${entry(3)}\n\n${stranger(1)}\n  ${stranger(2)}\nhttp://`);
    await page.getByRole("button", { name: "Check all" }).click();
    await expect
      .poll(() => read(page, "[data-summary]"))
      .toMatch(
        /^4 URLs: 2 safe at once, 1 maybe, of which the server calls 1 unsafe and 0 safe; 0 missed; 1 no URLs\. [\d.]+ (ns|µs) a look into the list, [\d,]+ a second\.$/,
      );
    const rows = page.locator("[data-table] tbody tr");
    expect((await rows.allInnerTexts()).map((row) => row.replaceAll(/\s+/g, " "))).toEqual([
      `http://${entry(3)} unsafe · server listed`,
      `${stranger(1)} safe · filter not listed`,
      `${stranger(2)} safe · filter not listed`,
      "http:// no URL –",
    ]);
  });

  test("a thousand are filled in, and no listed one is missed", async () => {
    const page = await open();
    await page.getByRole("button", { name: "Fill in 1,000" }).click();
    await page.getByRole("button", { name: "Check all" }).click();
    await expect
      .poll(() => read(page, "[data-summary]"))
      .toMatch(/^1,000 URLs: .* the server calls 200 unsafe .* 0 missed/);
  });
});
