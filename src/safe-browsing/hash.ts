import { BloomlineError, mustBe } from "../errors.js";

/** A digest by the platform, which makes none in a page that came by plain http. */
export async function digest(algorithm: string, bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  if (crypto.subtle) return new Uint8Array(await crypto.subtle.digest(algorithm, bytes));
  throw new BloomlineError(
    "ERR_INSECURE",
    `${algorithm} needs crypto.subtle. Serve the page by https, or from localhost.`,
  );
}

/** SHA-256 of an expression: what the protocol's lists hold. */
export function fullHash(expression: string): Promise<Uint8Array> {
  return digest("SHA-256", new TextEncoder().encode(expression));
}

/** The first bytes of an expression's hash, 4 to 32: all that a server is told. */
export async function hashPrefix(expression: string, length = 4): Promise<Uint8Array> {
  if (!Number.isInteger(length) || length < 4 || length > 32) {
    throw mustBe("length", length, "a whole number from 4 to 32");
  }
  return (await fullHash(expression)).slice(0, length);
}
