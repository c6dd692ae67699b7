/**
 * "absent": definitely not there. "maybe": there, or wrong at the error rate. "unknown": nobody can tell, because Redis
 * or a part of the filter is away.
 */
export type Answer = "absent" | "maybe" | "unknown";

/** Of two places that a key may be in. */
export function either(a: Answer, b: Answer): Answer {
  if (a === "maybe" || b === "maybe") return "maybe";
  return a === "unknown" ? a : b;
}
