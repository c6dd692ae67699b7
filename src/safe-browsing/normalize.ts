import { BloomlineError, show } from "../errors.js";
import { escapeBytes, unescapeFully } from "./bytes.js";
import { canonicalHost } from "./host.js";

const SCHEME = /^([a-z][a-z\d+.-]*):/i;
const PORT = /^\d+(?:[/?\\]|$)/;
// Browsers end the host at a backslash too: "http://evil.example\@good.example/" opens evil.example.
const END_OF_AUTHORITY = /[/?\\]/;

function withoutSpacesAround(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && text[start] === " ") ++start;
  while (end > start && text[end - 1] === " ") --end;
  return text.slice(start, end);
}

function noHost(url: string): BloomlineError {
  return new BloomlineError(
    "ERR_URL",
    `${show(escapeBytes(url.slice(0, 60)))} has no host; give a URL such as "https://example.com/path" or "example.com/path"`,
  );
}

/** The scheme, "" if there is none, and what follows its slashes. "example.com:80/" has none. */
function splitScheme(url: string): [scheme: string, rest: string] {
  const found = SCHEME.exec(url);
  if (found === null) return ["", url];
  const rest = url.slice(found[0].length);
  if (rest.startsWith("//")) return [found[1]!.toLowerCase(), rest.slice(2)];
  if (PORT.test(rest)) return ["", url];
  throw noHost(url);
}

function endOfAuthority(url: string): number {
  const end = url.search(END_OF_AUTHORITY);
  return end < 0 ? url.length : end;
}

/** Dot segments are resolved before runs of slashes collapse, as the protocol orders it: "/a//../b" is "/a/b". */
function canonicalPath(path: string): string {
  if (!/\/[/.]/.test(path)) return path || "/";
  const kept: string[] = [];
  const segments = path.split("/");
  const last = segments.length - 1;
  // The first is what stands before the leading slash: nothing.
  for (let i = 1; i <= last; ++i) {
    const segment = segments[i]!;
    const isDots = segment === "." || segment === "..";
    if (segment === "..") kept.pop();
    if (!isDots) kept.push(segment);
    else if (i === last) kept.push("");
  }
  return `/${kept.join("/")}`.replace(/\/{2,}/g, "/");
}

/** The canonical form of any URL, by all the rules. The URL has one character per byte. */
export function normalize(url: string): string {
  const cleaned = withoutSpacesAround(url.replace(/[\t\r\n]/g, ""));
  const fragment = cleaned.indexOf("#");
  let [scheme, rest] = splitScheme(fragment < 0 ? cleaned : cleaned.slice(0, fragment));

  // User and password go before unescaping: in "http://good.example%2F@evil.example/" they hold an escaped slash.
  rest = rest.slice(rest.lastIndexOf("@", endOfAuthority(rest)) + 1);
  rest = unescapeFully(rest);
  if (scheme === "") [scheme, rest] = splitScheme(rest);

  const end = endOfAuthority(rest);
  const host = canonicalHost(rest.slice(0, end));
  if (host === "") throw noHost(url);
  const query = rest.indexOf("?", end);
  const path = query < 0 ? rest.slice(end) : rest.slice(end, query);
  const tail = query < 0 ? "" : rest.slice(query);
  return `${scheme || "http"}://${escapeBytes(host + canonicalPath(path[0] === "\\" ? `/${path}` : path) + tail)}`;
}
