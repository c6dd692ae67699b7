import { BloomlineError, show } from "../errors.js";
import { escapeBytes, unescapeFully } from "./bytes.js";
import { canonicalHost } from "./host.js";

const SCHEME = /^([a-z][a-z\d+.-]*):/i;
const PORT = /^\d+(?:[/?\\]|$)/;
// Browsers end the host at a backslash too: "http://evil.example\@good.example/" opens evil.example.
const CREDENTIALS = /^[^/?\\]*@/;
const AUTHORITY_PATH_QUERY = /^([^/?\\]*)([^?]*)(.*)/s;

// To the last that is no space, and back over those that are: linear, as "/ +$/" is not.
const SPACES_AROUND = /^ *(.*[^ ])? *$/s;

function noHost(url: string): BloomlineError {
  return new BloomlineError(
    "ERR_URL",
    `${show(escapeBytes(url.slice(0, 60)))} has no host; give a URL such as "https://example.com/path"`,
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

/** Dot segments are resolved before runs of slashes collapse, as the protocol orders it: "/a//../b" is "/a/b". */
function canonicalPath(path: string): string {
  if (!/\/[/.]/.test(path)) return path || "/";
  const kept: string[] = [];
  // The first is what stands before the leading slash: nothing. A dot segment at the end leaves its slash.
  for (const segment of path
    .replace(/\/\.\.?$/, "$&/")
    .split("/")
    .slice(1)) {
    if (segment === "..") kept.pop();
    else if (segment !== ".") kept.push(segment);
  }
  return `/${kept.join("/")}`.replace(/\/{2,}/g, "/");
}

/** The canonical form of any URL, by all the rules. The URL has one character per byte. */
export function normalize(url: string): string {
  const cleaned = url.replace(/[\t\r\n]/g, "").replace(SPACES_AROUND, "$1");
  let [scheme, rest] = splitScheme(cleaned.replace(/#.*/s, ""));

  // User and password go before unescaping: in "http://good.example%2F@evil.example/" they hold an escaped slash.
  rest = unescapeFully(rest.replace(CREDENTIALS, ""));
  if (scheme === "") [scheme, rest] = splitScheme(rest);

  const [, authority, path, query] = AUTHORITY_PATH_QUERY.exec(rest) as unknown as [string, string, string, string];
  const host = canonicalHost(authority);
  if (host === "") throw noHost(url);
  return `${scheme || "http"}://${escapeBytes(host + canonicalPath(path[0] === "\\" ? `/${path}` : path) + query)}`;
}
