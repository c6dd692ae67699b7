import { BloomlineError, show } from "../errors.js";
import { escapeBytes } from "./bytes.js";
import { ipv4, ipv6 } from "./ip.js";

function invalid(host: string, reason: string): BloomlineError {
  return new BloomlineError("ERR_URL", `the host ${show(host)} is not valid: ${reason}`);
}

/** The text of the host, or undefined if its bytes are no UTF-8: such a host is a name in an unknown encoding. */
function decode(host: string): string | undefined {
  try {
    return decodeURIComponent(escapeBytes(host));
  } catch {
    return undefined;
  }
}

// Punycode takes quadratic time. A name has 253 characters at most; the rest is room for those that the mapping drops.
const LONGEST_IDN = 4096;

function tidyDots(host: string): string {
  return host.replace(/\.{2,}/g, ".").replace(/^\.|\.$/g, "");
}

/** IDN to Punycode by the platform's URL, which maps and checks as browsers do. Undefined if it is refused. */
function toAscii(host: string): string | undefined {
  const labels = tidyDots(host.replace(/[\u3002\uff0e\uff61]/g, "."));
  if (!/[\u0080-\uffff]/.test(labels)) return labels;
  // URL would cut the host at the first two of these characters and drop the others without a word.
  if (labels.length > LONGEST_IDN || /[#:\t\r\n]/.test(labels)) return undefined;
  try {
    // Behind one more label nothing is read as an IPv4 address: that is for ipv4(), for every host alike.
    const name = new URL(`http://${labels}.a/`).hostname.slice(0, -".a".length);
    // Chromium escapes space and asterisk before it makes Punycode, others do not. Refused, the answer is one.
    return /[%*]/.test(name) ? undefined : tidyDots(name);
  } catch {
    return undefined;
  }
}

/** The canonical host of an unescaped authority, not yet escaped; "" if there is none. */
export function canonicalHost(authority: string): string {
  const host = tidyDots(authority.slice(authority.lastIndexOf("@") + 1).replace(/:\d*$/, ""));
  const text = /[\x80-\xff]/.test(host) ? decode(host) : undefined;
  const name = text === undefined ? host : toAscii(text);
  if (name === undefined) throw invalid(text!, "as an internationalised name it has no Punycode form");
  if (name.startsWith("[")) {
    const address = ipv6(name);
    if (address === undefined) throw invalid(escapeBytes(name), "in brackets there must be an IPv6 address");
    return address;
  }
  if (name.includes(":")) throw invalid(escapeBytes(name), "only a port, in digits, may follow a colon");
  return ipv4(name) ?? name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
