import { mustBe } from "../errors.js";

const encoder = new TextEncoder();

/** SHA-256 of an expression: what the protocol's lists hold. */
export async function fullHash(expression: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", encoder.encode(expression)));
}

/** The first bytes of an expression's hash, 4 to 32: all that a server is told. */
export async function hashPrefix(expression: string, length = 4): Promise<Uint8Array> {
  if (!Number.isInteger(length) || length < 4 || length > 32) {
    throw mustBe("length", length, "a whole number from 4 to 32");
  }
  return (await fullHash(expression)).slice(0, length);
}
