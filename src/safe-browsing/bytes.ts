// A URL is bytes, not text: it may hold any encoding, or none. Inside this room it is a string with one character per
// byte, so that the language's own string and RegExp functions work on it.

const encoder = new TextEncoder();

const NOT_ASCII = /[\u0080-\uffff]/;
const ARGUMENTS_AT_ONCE = 8192;

/** One character per byte: of the bytes given, or of the text's UTF-8. */
export function byteString(url: string | Uint8Array): string {
  if (typeof url === "string") return NOT_ASCII.test(url) ? byteString(encoder.encode(url)) : url;
  let text = "";
  for (let i = 0; i < url.length; i += ARGUMENTS_AT_ONCE) {
    // apply, not spread: it takes the typed array as it is, and is over three times as fast.
    text += String.fromCharCode.apply(null, url.subarray(i, i + ARGUMENTS_AT_ONCE) as unknown as number[]);
  }
  return text;
}

const PERCENT = 0x25;
const HEX = /^[\da-f]{2}$/i;

/**
 * Percent-unescapes until nothing changes. No two escapes overlap, so the order does not matter, and one pass that
 * looks back after each byte ends where repeated passes end: "%25%32%35" and a megabyte of "%252525…" take linear time.
 */
export function unescapeFully(text: string): string {
  if (!text.includes("%")) return text;
  const out = new Uint8Array(text.length);
  let length = 0;
  for (let i = 0; i < text.length; ++i) {
    out[length++] = text.charCodeAt(i);
    while (length >= 3 && out[length - 3] === PERCENT) {
      const digits = String.fromCharCode(out[length - 2]!, out[length - 1]!);
      if (!HEX.test(digits)) break;
      length -= 2;
      out[length - 1] = Number.parseInt(digits, 16);
    }
  }
  return byteString(out.subarray(0, length));
}

const TO_ESCAPE = /[^!-~]|[#%]/g;

/** Escapes every byte up to 32 and from 127, `#` and `%`. */
export function escapeBytes(text: string): string {
  return text.replace(TO_ESCAPE, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`);
}
