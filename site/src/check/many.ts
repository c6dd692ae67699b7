import type { ExpressionOptions } from "bloomline/safe-browsing";
import { find, make } from "../dom.js";
import { count, duration } from "../format.js";
import type { DemoList } from "../list/demo-list.js";
import { entry, stranger } from "../list/urls.js";
import { inSlices } from "../slices.js";
import { type Verdict, verdictOf } from "./verdict.js";

const SHOWN = 100;
/** More lines than this, and the text area itself holds the page up. */
const FILLED = 1000;

const invalid: Verdict = { maybe: false, listed: false, filter: "no URL", truth: "–", tone: "maybe" };

function judge(list: DemoList, url: string, rules: ExpressionOptions): Verdict {
  try {
    return verdictOf(list.check(url, rules), list);
  } catch {
    return invalid;
  }
}

/** One in five is listed. */
export function sampleUrls(): string {
  const urls = Array.from({ length: FILLED }, (_, i) => (i % 5 === 0 ? `http://${entry(7 * i)}` : stranger(i)));
  return urls.join("\n");
}

/** Microseconds that a check of one of these takes, without the search for the truth and the page's own work. */
async function timePerCheck(list: DemoList, urls: readonly string[], rules: ExpressionOptions): Promise<number> {
  let passed = 0;
  await inSlices((from) => {
    const start = performance.now();
    const end = Math.min(from + 200, urls.length);
    for (let i = from; i < end; i++) list.check(urls[i]!, rules);
    passed += performance.now() - start;
    return end < urls.length ? end : undefined;
  });
  return (1000 * passed) / urls.length;
}

function row(url: string, { filter, truth, tone, maybe }: Verdict): HTMLElement {
  return make(
    "tr",
    {},
    make("td", {}, make("code", {}, url)),
    make("td", {}, make("span", { class: `badge ${maybe ? "maybe" : "good"}` }, filter)),
    make("td", {}, make("span", { class: `badge ${tone}` }, truth)),
  );
}

/** Checks every line of the text area, and shows what came of it. */
export async function checkMany(form: HTMLElement, list: DemoList, rules: ExpressionOptions): Promise<void> {
  const urls = find<HTMLTextAreaElement>(form, "textarea")
    .value.split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const summary = find(form, "[data-summary]");
  const table = find(form, "[data-table]");
  table.hidden = urls.length === 0;
  if (urls.length === 0) {
    summary.textContent = "Nothing to check: paste URLs above, one a line.";
    return;
  }
  const progress = find<HTMLProgressElement>(form, "[data-checking]");
  progress.hidden = false;
  const verdicts: Verdict[] = [];
  await inSlices(
    (from) => {
      verdicts.push(judge(list, urls[from]!, rules));
      return from + 1 < urls.length ? from + 1 : undefined;
    },
    { onProgress: (done) => (progress.value = done / urls.length) },
  );
  const valid = urls.filter((_, i) => verdicts[i] !== invalid);
  const each = valid.length === 0 ? undefined : await timePerCheck(list, valid, rules);
  progress.hidden = true;
  const of = (test: (verdict: Verdict) => boolean) => count(verdicts.filter(test).length);
  summary.textContent =
    `${count(urls.length)} URLs: ${of((v) => v.filter === "safe")} safe, ${of((v) => v.maybe)} maybe, of which ` +
    `${of((v) => v.listed)} are listed and ${of((v) => v.maybe && !v.listed)} are false positives; ` +
    `${of((v) => v.listed && !v.maybe)} missed; ${of((v) => v === invalid)} no URLs. ` +
    (each === undefined ? "" : `${duration(each)} a check, ${count(1e6 / each)} checks a second.`) +
    (urls.length > SHOWN ? ` The first ${SHOWN}:` : "");
  find(table, "tbody").replaceChildren(...urls.slice(0, SHOWN).map((url, i) => row(url, verdicts[i]!)));
}
