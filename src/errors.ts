/** What can go wrong besides a wrong argument (which is a TypeError or a RangeError). */
export type BloomlineErrorCode =
  | "ERR_BUILD"
  | "ERR_DISPOSED"
  | "ERR_FULL"
  | "ERR_INCOMPATIBLE"
  | "ERR_LOCKED"
  | "ERR_NO_WASM"
  | "ERR_MEMORY"
  | "ERR_NOT_ISOLATED"
  | "ERR_NOT_SHARED"
  | "ERR_READONLY"
  | "ERR_HANDLE"
  | "ERR_REBUILDING"
  | "ERR_FOREIGN"
  | "ERR_VERSION"
  | "ERR_KIND"
  | "ERR_TRUNCATED"
  | "ERR_CORRUPT"
  | "ERR_URL"
  | "ERR_INTEGRITY"
  | "ERR_INSECURE"
  | "ERR_FETCH"
  | "ERR_REDIS"
  | "ERR_GONE"
  | "ERR_CONFLICT"
  | "ERR_INCOMPLETE"
  | "ERR_UNKNOWN";

/** The one error class of bloomline; `code` tells programs what `message` tells people. */
export class BloomlineError extends Error {
  override readonly name = "BloomlineError";

  constructor(
    readonly code: BloomlineErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** The error for an argument outside its range, or of another type. */
export function mustBe(name: string, value: unknown, allowed: string, type: ErrorConstructor = RangeError): Error {
  return new type(`${name} is ${show(value)}; it must be ${allowed}.`);
}

/** A value as it should appear in a message: short, and telling 1 from "1" from 1n. */
export function show(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value);
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value === "function") return "a function";
  return typeof value === "object" && value ? `an object (${value.constructor?.name})` : String(value);
}
