import type { ExpressionOptions, UrlChecker, Verdict } from "bloomline/safe-browsing";
import type { DemoList } from "../list/demo-list.js";

/** What the checker says of a URL, and what is so. */
export interface Outcome {
  /** The list alone: mayBeUnsafe(). */
  readonly maybe: boolean;
  /** The list, and where it says maybe the server: check(). */
  readonly checked: Verdict;
  readonly listed: boolean;
}

export async function outcomeOf(
  list: DemoList,
  checker: UrlChecker,
  url: string,
  rules: ExpressionOptions,
): Promise<Outcome> {
  return { maybe: checker.mayBeUnsafe(url), checked: await checker.check(url), listed: list.holds(url, rules) };
}

export const toneOf = { safe: "good", unknown: "maybe", unsafe: "bad" } as const;

/** Why, in the words of the checker's source. */
export function reasonFor({ verdict, source, error }: Verdict): string {
  if (verdict === "unknown") return `The server failed: ${(error as Error | undefined)?.message ?? "no reason given"}`;
  if (source === "filter") return "Not on the list; nobody was asked.";
  const who = source === "cache" ? "The server, asked before and remembered," : "The server, told 4 bytes of a hash,";
  return verdict === "unsafe" ? `${who} confirms it.` : `${who} knows better.`;
}
