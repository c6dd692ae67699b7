import { mustBe } from "../errors.js";

/** The first thing a filter asks of its options. */
export function checkOptions(options: unknown, example: string): void {
  if (typeof options !== "object" || options === null) {
    throw mustBe("options", options, `an object such as ${example}`, TypeError);
  }
}
