import { BloomlineError } from "../errors.js";

/** The digest of a file as in the integrity attribute of a script, by SHA-256 unless another is asked for. */
export async function integrityOf(
  bytes: Uint8Array<ArrayBuffer>,
  algorithm: "sha256" | "sha384" | "sha512" = "sha256",
): Promise<string> {
  const digest = await crypto.subtle.digest(algorithm.replace("sha", "SHA-"), bytes);
  return `${algorithm}-${btoa(String.fromCharCode(...new Uint8Array(digest)))}`;
}

/** Makes sure that the bytes have one of the digests; any will do where none is given. */
export async function verifyDigest(bytes: Uint8Array<ArrayBuffer>, integrity: string | undefined): Promise<void> {
  if (integrity === undefined) return;
  for (const digest of integrity.trim().split(/\s+/)) {
    if ((await integrityOf(bytes, digest.slice(0, 6) as "sha256")) === digest) return;
  }
  throw new BloomlineError(
    "ERR_INTEGRITY",
    `The digest is ${await integrityOf(bytes)}, not ${integrity}: another list, or tampered with.`,
  );
}
