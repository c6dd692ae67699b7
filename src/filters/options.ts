import { mustBe } from "../errors.js";

/** The first thing a filter asks of its options, or of those it names. */
export function checkOptions(options: unknown, example: string, name = "options"): void {
  if (typeof options !== "object" || options === null) {
    throw mustBe(name, options, `an object such as ${example}`, TypeError);
  }
}
