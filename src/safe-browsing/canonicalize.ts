import { mustBe } from "../errors.js";
import { byteString } from "./bytes.js";
import { isPlainlyCanonical } from "./canonical.js";
import { normalize } from "./normalize.js";

/**
 * The one spelling of a URL that Safe Browsing lists and looks up: ASCII, without credentials, port and fragment,
 * with host and path in their simplest form. It is for comparing, not for fetching.
 *
 * A string stands for its UTF-8 bytes; give bytes where a URL is in another encoding. No scheme means http.
 * Throws a BloomlineError with the code ERR_URL if there is no valid host.
 */
export function canonicalize(url: string | Uint8Array): string {
  if (typeof url !== "string" && !(url instanceof Uint8Array)) {
    throw mustBe("url", url, "a string or a Uint8Array; of a URL object, its href", TypeError);
  }
  const bytes = byteString(url);
  return isPlainlyCanonical(bytes) ? bytes : normalize(bytes);
}
