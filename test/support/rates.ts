import type { Filter } from "bloomline";
import { range } from "./random.js";

/** How many of the integers from..to the filter takes for members. */
export function countMembers(filter: Pick<Filter, "hasMany">, from: number, to: number): number {
  const step = 1 << 16;
  const answers = new Uint8Array(step);
  let members = 0;
  for (let at = from; at < to; at += step) {
    const keys = range(at, Math.min(at + step, to));
    filter.hasMany(keys, answers);
    for (let i = 0; i < keys.length; i++) members += answers[i]!;
  }
  return members;
}

/** How many standard deviations a count of yes and no lies from what was expected. */
export function deviation(yes: number, asked: number, expected: number): number {
  return (yes - asked * expected) / Math.sqrt(asked * expected * (1 - expected));
}
