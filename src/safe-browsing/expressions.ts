import { show } from "../errors.js";
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

const MOST_HOST_SUFFIXES = 4;
const MOST_DIRECTORIES = 4;

function startOfRegistrableDomain(host: string, suffixes: Suffixes): number {
  const domain = suffixes(host) ?? host;
  if (domain !== host && !host.endsWith(`.${domain}`)) {
    throw new TypeError(`suffixes(${show(host)}) returned ${show(domain)}, which is not a domain of that host`);
  }
  return host.length - domain.length;
}

/** A top-level domain alone is never looked up. */
function startOfLastTwoLabels(host: string): number {
  const dot = host.lastIndexOf(".");
  return dot < 0 ? 0 : host.lastIndexOf(".", dot - 1) + 1;
}

/** The host itself, then its suffixes from the shortest on. An address has no suffixes. */
function hostsToTry(host: string, suffixes: Suffixes | undefined): string[] {
  const hosts = [host];
  if (host.startsWith("[") || ipv4(host) !== undefined) return hosts;
  let start = suffixes ? startOfRegistrableDomain(host, suffixes) : startOfLastTwoLabels(host);
  while (start > 0 && hosts.length <= MOST_HOST_SUFFIXES) {
    hosts.push(host.slice(start));
    start = host.lastIndexOf(".", start - 2) + 1;
  }
  return hosts;
}

/** The path with its query, without it, then its directories from the root on. */
function pathsToTry(pathAndQuery: string): string[] {
  const paths = [pathAndQuery];
  const query = pathAndQuery.indexOf("?");
  const path = query < 0 ? pathAndQuery : pathAndQuery.slice(0, query);
  if (query >= 0) paths.push(path);
  for (let slash = 0, n = 0; slash >= 0 && n < MOST_DIRECTORIES; slash = path.indexOf("/", slash + 1), ++n) {
    if (slash + 1 < path.length) paths.push(path.slice(0, slash + 1));
  }
  return paths;
}

function listFor({ version, suffixes }: ExpressionOptions): Suffixes | undefined {
  if (suffixes !== undefined && typeof suffixes !== "function") {
    throw new TypeError(`suffixes is a function from a host to its registrable domain, not ${show(suffixes)}`);
  }
  if (version === undefined) return suffixes;
  if (version === 4) return undefined;
  if (version !== 5) throw new RangeError(`version is 4 or 5, not ${show(version)}`);
  if (suffixes === undefined) {
    throw new TypeError(
      'version 5 needs the Public Suffix List: import suffixes from "bloomline/safe-browsing/suffixes" and give { version: 5, suffixes }',
    );
  }
  return suffixes;
}

/**
 * Everything under which a URL may be listed: up to 5 hosts with up to 6 paths each, the exact one first, none twice.
 * Throws what `canonicalize` throws.
 */
export function expressions(url: string | Uint8Array, options: ExpressionOptions = {}): string[] {
  const suffixes = listFor(options);
  const canonical = canonicalize(url);
  const host = canonical.indexOf("://") + 3;
  const slash = canonical.indexOf("/", host);
  const paths = pathsToTry(canonical.slice(slash));
  const all: string[] = [];
  for (const name of hostsToTry(canonical.slice(host, slash), suffixes)) {
    for (const path of paths) all.push(name + path);
  }
  return all;
}
