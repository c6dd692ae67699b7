import type { Checked, DemoList } from "../list/demo-list.js";

/** What the filter says, and what is so. */
export interface Verdict {
  readonly maybe: boolean;
  readonly listed: boolean;
  readonly filter: string;
  readonly truth: string;
  readonly tone: "good" | "maybe" | "bad";
}

export function verdictOf({ expressions, maybe }: Checked, list: DemoList): Verdict {
  const isMaybe = maybe.includes(1);
  const isListed = expressions.some((expression) => list.isListed(expression));
  return {
    maybe: isMaybe,
    listed: isListed,
    filter: isMaybe ? "maybe" : "safe",
    truth: isListed ? "listed" : isMaybe ? "not listed: a false positive" : "not listed",
    tone: isListed ? "bad" : isMaybe ? "maybe" : "good",
  };
}
