const MAYBE_IPV4 = /^\d[\da-fx.]*$/i;

/** A part of an IPv4 address as C reads it: 0x, even alone, is hex, 0 is octal. NaN if it is no number. */
function part(text: string): number {
  if (!/^(?:0x[\da-f]*|\d+)$/i.test(text)) return Number.NaN;
  return Number(text.replace(/^0(x?)/i, (_, x) => (x ? "0x0" : "0o0")));
}

function dotted(address: number): string {
  return [24, 16, 8, 0].map((shift) => (address >>> shift) & 255).join(".");
}

/**
 * Dotted decimal of any spelling that inet_aton and browsers take: one to four parts, of which the last fills the
 * bytes that are left. Undefined if the host is a name, as "1.2.3.256" and "1.2.3.4.5" are.
 */
export function ipv4(host: string): string | undefined {
  if (!MAYBE_IPV4.test(host)) return undefined;
  const parts = host.split(".", 5);
  if (parts.length > 4) return undefined;
  const last = part(parts.pop()!);
  if (!(last < 256 ** (4 - parts.length))) return undefined;
  let address = last;
  for (const [i, text] of parts.entries()) {
    const value = part(text);
    if (!(value < 256)) return undefined;
    address += value * 256 ** (3 - i);
  }
  return dotted(address);
}

const MAYBE_IPV6 = /^\[[\da-f:.]+\]$/i;
const CARRIES_IPV4 = /^\[(?:::ffff:(?=.*:)|64:ff9b::)(?:([\da-f]+):)?([\da-f]*)\]$/;

/**
 * The bracketed address in its RFC 5952 form, or the IPv4 address that it carries (IPv4-mapped, or NAT64 with the
 * well-known prefix). Undefined if it is no address. The platform's URL knows the grammar and the form.
 */
export function ipv6(host: string): string | undefined {
  if (!MAYBE_IPV6.test(host)) return undefined;
  let address: string;
  try {
    address = new URL(`http://${host}/`).hostname;
  } catch {
    return undefined;
  }
  const carried = CARRIES_IPV4.exec(address);
  if (carried === null) return address;
  const [high, low] = [carried[1], carried[2]].map((digits) => Number.parseInt(digits || "0", 16)) as [number, number];
  return dotted(high * 0x10000 + low);
}
