import { BloomlineError } from "../errors.js";
import { digest } from "./hash.js";

/** The digest of a file as in the integrity attribute of a script, by SHA-256 unless another is asked for. */
export async function integrityOf(
  bytes: Uint8Array<ArrayBuffer>,
  algorithm: "sha256" | "sha384" | "sha512" = "sha256",
): Promise<string> {
  const hash = await digest(algorithm.replace("sha", "SHA-"), bytes);
  return `${algorithm}-${btoa(String.fromCharCode(...hash))}`;
}

/** Makes sure that the bytes have one of the digests; any will do where none is given. */
export async function verifyDigest(bytes: Uint8Array<ArrayBuffer>, integrity: string | undefined): Promise<void> {
  if (integrity === undefined) return;
  for (const [given, algorithm] of integrity.matchAll(/\b(sha(?:256|384|512))-\S+/g)) {
    if ((await integrityOf(bytes, algorithm as "sha256")) === given) return;
  }
  throw new BloomlineError(
    "ERR_INTEGRITY",
    `The digest is ${await integrityOf(bytes)}, not ${integrity}: another list, or tampered with.`,
  );
}
