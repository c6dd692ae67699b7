// The result of one URL: verdict and truth, canonical form, time, and every expression with its line and bits.

import { canonicalize, type ExpressionOptions, expressions, type UrlChecker } from "bloomline/safe-browsing";
import { make } from "../dom.js";
import { count, duration } from "../format.js";
import type { DemoList } from "../list/demo-list.js";
import { isSet, lineBytes, probesOf } from "../list/probes.js";
import { linePicture } from "./line-picture.js";
import { outcomeOf, reasonFor, toneOf } from "./verdict.js";

const TIMED_MS = 4;

/** The mean of as many checks as fit in a few milliseconds: clocks of pages are too coarse for one. */
function microsecondsPerCheck(checker: UrlChecker, url: string): number {
  const start = performance.now();
  let checks = 0;
  let passed: number;
  do {
    for (let i = 0; i < 32; i++) checker.mayBeUnsafe(url);
    checks += 32;
    passed = performance.now() - start;
  } while (passed < TIMED_MS);
  return (1000 * passed) / checks;
}

function fact(name: string, ...value: (Node | string)[]): HTMLElement {
  return make("div", { class: "fact" }, make("dt", {}, name), make("dd", {}, ...value));
}

function positionList(line: Uint8Array, positions: readonly number[]): HTMLElement {
  const marks = positions.map((position) => {
    const set = isSet(line, position);
    const mark = make("span", { "aria-hidden": "true" }, set ? "●" : "○");
    return make("span", { class: set ? "set" : "clear" }, mark, `\u202f${position}`);
  });
  const set = positions.filter((position) => isSet(line, position)).length;
  return make(
    "span",
    { class: "positions" },
    make("b", {}, `${set} of ${positions.length} set: `),
    ...marks.flatMap((mark) => [mark, " "]),
  );
}

function expressionItem(list: DemoList, expression: string): HTMLElement {
  const { line, positions } = probesOf(list.filter, expression);
  const content = lineBytes(list.filterBytes, line);
  const maybe = list.filter.has(expression);
  const listed = list.isListed(expression);
  return make(
    "li",
    {},
    make(
      "div",
      { class: "head" },
      make("code", {}, expression),
      make(
        "span",
        {},
        make("span", { class: `badge ${maybe ? "maybe" : "good"}` }, maybe ? "maybe" : "no"),
        " ",
        make(
          "span",
          { class: `badge ${listed ? "bad" : maybe ? "maybe" : "plain"}` },
          listed ? "truth: listed" : maybe ? "truth: a false positive" : "truth: not listed",
        ),
      ),
    ),
    make("span", { class: "place" }, "line ", make("b", {}, count(line))),
    linePicture(content, positions),
    positionList(content, positions),
  );
}

/** One part of the verdict: who, what they say, and why. */
function says(who: string, what: string, tone: string, why: string): HTMLElement {
  return make(
    "p",
    {},
    make("span", { class: "muted" }, who),
    make("b", { class: `big ${tone}` }, what),
    make("span", {}, why),
  );
}

const named = { safe: "Safe", unknown: "Unknown", unsafe: "Unsafe" } as const;

export async function showOne(list: DemoList, url: string, rules: ExpressionOptions): Promise<Node[]> {
  let canonical: string;
  try {
    canonical = canonicalize(url);
  } catch (error) {
    return [
      make("p", { class: "card bad-edge", role: "status" }, make("b", {}, "Not a URL. "), (error as Error).message),
    ];
  }
  const checker = await list.checker(rules);
  const { maybe, checked, listed } = await outcomeOf(list, checker, url, rules);
  const tone = toneOf[checked.verdict];
  const verdict = make(
    "div",
    { class: `card verdict ${tone}-edge`, role: "status" },
    says(
      "Filter",
      maybe ? "Maybe unsafe" : "Safe",
      maybe ? "maybe" : "good",
      maybe ? "So the server is asked." : "Certainly not on the list.",
    ),
    says("Verdict", named[checked.verdict], tone, reasonFor(checked)),
    says(
      "Truth",
      listed ? "On the list" : "Not on the list",
      listed ? "bad" : "good",
      listed ? "The filter never misses one." : maybe ? "A false positive of the filter." : "The filter is right.",
    ),
  );
  const all = expressions(url, rules);
  const facts = make(
    "dl",
    { class: "facts" },
    fact("Canonical form", make("code", {}, canonical)),
    fact("Expressions", `${all.length} of 30 at most`),
    fact("Time per check", make("span", { "data-time": true }, duration(microsecondsPerCheck(checker, url)))),
  );
  const items = all.map((expression) => expressionItem(list, expression));
  return [
    verdict,
    facts,
    make("h3", {}, "What is looked up"),
    make(
      "p",
      { class: "muted" },
      `Each expression has one line of 512 bits and asks for ${list.filter.hashes} of them. One that is not set is enough for a no. `,
      make("span", { class: "key set" }, "●"),
      " asked for and set, ",
      make("span", { class: "key clear" }, "○"),
      " asked for and not set, ",
      make("span", { class: "key other" }, "●"),
      " set by other keys.",
    ),
    make("ol", { class: "expressions" }, ...items),
  ];
}
