import { mustBe, show } from "../errors.js";
import { canonicalize } from "./canonicalize.js";
import { ipv4 } from "./ip.js";

/**
 * The registrable domain of a canonical host: its public suffix and one label more. Undefined or null if it has none,
 * being a public suffix itself.
 */
export type Suffixes = (host: string) => string | undefined | null;

export interface ExpressionOptions {
  /** The protocol's version: 4 takes host suffixes by counting labels, 5 by the Public Suffix List. */
  version?: 4 | 5;
  /** The Public Suffix List. Version 5 needs it, and is the default where it is given. */
  suffixes?: Suffixes;
}

/**
 * An expression is the end of a host and the beginning of a path, which meet: a stretch of the canonical URL, from one of
 * the starts to one of the ends. None is longer than the first.
 */
export interface Stretches {
  readonly canonical: string;
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

const MOST_HOST_SUFFIXES = 4;
const MOST_DIRECTORIES = 4;

function registrableDomain(host: string, suffixes: Suffixes): number {
  const domain = suffixes(host) ?? host;
  if (domain !== host && !host.endsWith(`.${domain}`)) {
    throw mustBe(`suffixes(${show(host)})`, domain, "a domain of that host", TypeError);
  }
  return host.length - domain.length;
}

/** A top-level domain alone is never looked up. */
function lastTwoLabels(host: string): number {
  const dot = host.lastIndexOf(".");
  return dot < 0 ? 0 : host.lastIndexOf(".", dot - 1) + 1;
}

/** Where the host begins, then its suffixes from the shortest on. An address has no suffixes. */
function startsOf(host: string, at: number, suffixes: Suffixes | undefined): number[] {
  const starts = [at];
  if (host.startsWith("[") || ipv4(host) !== undefined) return starts;
  let start = suffixes ? registrableDomain(host, suffixes) : lastTwoLabels(host);
  while (start > 0 && starts.length <= MOST_HOST_SUFFIXES) {
    starts.push(at + start);
    start = host.lastIndexOf(".", start - 2) + 1;
  }
  return starts;
}

/** Where the query ends, where the path ends, then its directories from the root on. */
function endsOf(canonical: string, root: number): number[] {
  const ends = [canonical.length];
  const query = canonical.indexOf("?", root);
  const path = query < 0 ? canonical.length : query;
  if (query >= 0) ends.push(query);
  for (let slash = root, n = 0; slash >= 0 && n < MOST_DIRECTORIES; slash = canonical.indexOf("/", slash + 1), ++n) {
    if (slash + 1 >= path) break;
    ends.push(slash + 1);
  }
  return ends;
}

/** The list to use, if any. */
function listFor({ suffixes, version = suffixes === undefined ? 4 : 5 }: ExpressionOptions): Suffixes | undefined {
  if (version !== 4 && version !== 5) throw mustBe("version", version, "4 or 5");
  if (typeof suffixes !== "function" && (suffixes !== undefined || version === 5)) {
    throw mustBe("suffixes", suffixes, 'a function, as "bloomline/safe-browsing/suffixes" exports one', TypeError);
  }
  return version === 5 ? suffixes : undefined;
}

/** Where in the canonical URL its expressions lie. */
export function stretches(url: string | Uint8Array, options: ExpressionOptions): Stretches {
  const suffixes = listFor(options);
  const canonical = canonicalize(url);
  const host = canonical.indexOf("://") + 3;
  const root = canonical.indexOf("/", host);
  const starts = startsOf(canonical.slice(host, root), host, suffixes);
  return { canonical, starts, ends: endsOf(canonical, root) };
}

/** The one expression that stands for all of a URL; a host alone stands for all that is on it. */
export function exactExpression(url: string | Uint8Array): string {
  const canonical = canonicalize(url);
  return canonical.slice(canonical.indexOf("://") + 3);
}

/** The expressions themselves, in the order of starts and ends. */
export function expressionsIn({ canonical, starts, ends }: Stretches): string[] {
  const all: string[] = [];
  for (const start of starts) for (const end of ends) all.push(canonical.slice(start, end));
  return all;
}

/**
 * Everything under which a URL may be listed: up to 5 hosts with up to 6 paths each, the exact one first, none twice.
 * Throws what `canonicalize` throws.
 */
export function expressions(url: string | Uint8Array, options: ExpressionOptions = {}): string[] {
  return expressionsIn(stretches(url, options));
}
