import { show } from "../errors.js";

/** The error for `new` where a class is built in one go. */
export function useFrom(name: string): TypeError {
  return new TypeError(`A ${name} is built of all its keys at once. Use ${name}.from(…).`);
}

export function checkOptions(options: unknown): void {
  if (typeof options !== "object" || options === null) {
    throw new TypeError(`options is ${show(options)}; it must be an object.`);
  }
}
