import type { ExpressionOptions, UrlChecker } from "bloomline/safe-browsing";
import { find, make } from "../dom.js";
import { count, duration } from "../format.js";
import type { DemoList } from "../list/demo-list.js";
import { entry, stranger } from "../list/urls.js";
import { inSlices, nextTurn } from "../slices.js";
import { type Outcome, outcomeOf, toneOf } from "./verdict.js";

const SHOWN = 100;
/** More lines than this, and the text area itself holds the page up. */
const FILLED = 1000;
const AT_ONCE = 100;

/** One in five is listed. */
export function sampleUrls(): string {
  const urls = Array.from({ length: FILLED }, (_, i) => (i % 5 === 0 ? `http://${entry(7 * i)}` : stranger(i)));
  return urls.join("\n");
}

/** Microseconds that a look into the list takes for one of these, without the search for the truth and the page's own work. */
async function timePerCheck(checker: UrlChecker, urls: readonly string[]): Promise<number> {
  let passed = 0;
  await inSlices((from) => {
    const start = performance.now();
    const end = Math.min(from + 200, urls.length);
    for (let i = from; i < end; i++) checker.mayBeUnsafe(urls[i]!);
    passed += performance.now() - start;
    return end < urls.length ? end : undefined;
  });
  return (1000 * passed) / urls.length;
}

const badge = (tone: string, text: string) => make("td", {}, make("span", { class: `badge ${tone}` }, text));

/** An undefined outcome is that of no URL. */
function row(url: string, outcome: Outcome | undefined): HTMLElement {
  const cells = outcome
    ? [
        badge(toneOf[outcome.checked.verdict], `${outcome.checked.verdict} · ${outcome.checked.source}`),
        badge(outcome.listed ? "bad" : "plain", outcome.listed ? "listed" : "not listed"),
      ]
    : [badge("maybe", "no URL"), badge("plain", "–")];
  return make("tr", {}, make("td", {}, make("code", {}, url)), ...cells);
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
  const checker = await list.checker(rules);
  const outcomes: (Outcome | undefined)[] = [];
  for (let from = 0; from < urls.length; from += AT_ONCE) {
    const some = urls
      .slice(from, from + AT_ONCE)
      .map((url) => outcomeOf(list, checker, url, rules).catch(() => undefined));
    outcomes.push(...(await Promise.all(some)));
    progress.value = from / urls.length;
    await nextTurn();
  }
  const valid = urls.filter((_, i) => outcomes[i]);
  const each = valid.length === 0 ? undefined : await timePerCheck(checker, valid);
  progress.hidden = true;
  const of = (test: (outcome: Outcome) => boolean) => count(outcomes.filter((it) => it && test(it)).length);
  summary.textContent =
    `${count(urls.length)} URLs: ${of(({ maybe }) => !maybe)} safe at once, ${of(({ maybe }) => maybe)} maybe, of which ` +
    `the server calls ${of(({ checked }) => checked.verdict === "unsafe")} unsafe and ` +
    `${of(({ maybe, checked }) => maybe && checked.verdict === "safe")} safe; ` +
    `${of(({ listed, checked }) => listed && checked.verdict === "safe")} missed; ` +
    `${count(urls.length - valid.length)} no URLs. ` +
    (each === undefined ? "" : `${duration(each)} a look into the list, ${count(1e6 / each)} a second.`) +
    (urls.length > SHOWN ? ` The first ${SHOWN}:` : "");
  find(table, "tbody").replaceChildren(...urls.slice(0, SHOWN).map((url, i) => row(url, outcomes[i])));
}
