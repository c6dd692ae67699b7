import { BloomlineError, mustBe } from "../errors.js";
import { BloomFilter } from "../filters/bloom-filter.js";
import type { ReadableFilter } from "../filters/line-filter.js";
import { readHeader } from "../format/header.js";
import { Entries } from "./entries.js";
import { exactExpression, type Suffixes, stretches } from "./expressions.js";
import { idOf, readList, type UrlListInfo, writeList } from "./list-file.js";
import { probe } from "./probe.js";
import { turnTaker } from "./turn.js";

/** URLs, hosts or expressions, as they come. */
export type UrlEntries = Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>;

/** A class of filters that is built of all its keys: BloomFilter, FuseFilter or GolombSet. */
export interface ListFilterClass {
  from(
    keys: Iterable<string>,
    options: { capacity: number; errorRate: number; bits: 8 | 16 | 32; seed: number | bigint },
  ): ReadableFilter;
}

export interface BuildProgress {
  readonly step: "entries" | "corpus";
  /** Entries, or URLs of the corpus, so far. */
  readonly done: number;
}

export interface BuildUrlListOptions {
  /** The filter inside: BloomFilter unless given, FuseFilter for a smaller list, GolombSet for the smallest. */
  readonly filter?: ListFilterClass;
  /** The share of clean URLs, each with all its expressions, that the list may take for listed ones; 0.003 unless given. */
  readonly errorRate?: number;
  /** For how many expressions of a URL the rate is meant: 30, the most there can be, unless given. */
  readonly expressionsPerUrl?: number;
  /** Of the filter's hash, 64 bits; 0 unless given. With a seed per user, no URL is a false positive for everyone. */
  readonly seed?: number | bigint;
  /** Clean URLs. Those that the filter takes for listed ones are put on the list of exceptions. */
  readonly corpus?: UrlEntries;
  /** The Public Suffix List, if checkers will use it. */
  readonly suffixes?: Suffixes;
  /** The time of creation unless given. */
  readonly version?: string;
  /** Now unless given. */
  readonly created?: Date;
  /** Where the list comes from, for people. */
  readonly source?: string;
  readonly onProgress?: (progress: BuildProgress) => void;
  readonly signal?: AbortSignal;
  /** Gets the entries without a valid host, which are then left out; otherwise the first of them is an error. */
  readonly onInvalid?: (entry: string | Uint8Array, error: BloomlineError) => void;
}

export interface BuildUrlDeltaOptions extends Omit<BuildUrlListOptions, "seed" | "errorRate"> {
  /** Entries that are new since the list was built … */
  readonly added?: UrlEntries;
  /** … and those that are listed no longer. */
  readonly removed?: UrlEntries;
}

/** Calls back for each, in tasks short enough for others. */
async function forEach(
  items: UrlEntries,
  step: BuildProgress["step"],
  { onProgress, onInvalid, signal }: BuildUrlListOptions,
  take: (item: string | Uint8Array) => void,
): Promise<void> {
  const turn = turnTaker(signal);
  let done = 0;
  for await (const item of items) {
    try {
      take(item);
    } catch (error) {
      if (!(onInvalid && error instanceof BloomlineError && error.code === "ERR_URL")) throw error;
      onInvalid(item, error);
    }
    if (++done % 1024 !== 0) continue;
    onProgress?.({ step, done });
    await turn();
  }
  onProgress?.({ step, done });
}

async function packed(entries: UrlEntries, options: BuildUrlListOptions): Promise<Entries> {
  const list = new Entries();
  await forEach(entries, "entries", options, (entry) => list.push(exactExpression(entry)));
  return list;
}

/** The expressions of a corpus that the filter has, and the list has not. */
async function falsePositives(
  filter: ReadableFilter,
  list: Entries,
  { corpus = [], suffixes, ...options }: BuildUrlListOptions,
): Promise<Set<string>> {
  const found = new Set<string>();
  await forEach(corpus, "corpus", options, (url) => {
    for (const expression of probe(filter, stretches(url, suffixes ? { suffixes } : {}))) found.add(expression);
  });
  if (found.size > 0) for (const entry of list) found.delete(entry);
  return found;
}

async function build(
  list: Entries,
  errorRate: number,
  removed: Iterable<string>,
  options: BuildUrlListOptions,
  base?: string,
): Promise<Uint8Array<ArrayBuffer>> {
  const { filter: type = BloomFilter, expressionsPerUrl = 30, seed = 0n, created = new Date(), source = "" } = options;
  if (!(errorRate > 0 && errorRate < 1)) throw mustBe("errorRate", errorRate, "a number between 0 and 1");
  if (!(expressionsPerUrl >= 1 && expressionsPerUrl <= 30)) {
    throw mustBe("expressionsPerUrl", expressionsPerUrl, "a number from 1 to 30");
  }
  // The probability per lookup that comes to this one per URL.
  const rate = -Math.expm1(Math.log1p(-errorRate) / expressionsPerUrl);
  const filter = (type as ListFilterClass).from(list, {
    capacity: Math.max(1, list.length),
    errorRate: rate,
    // The fingerprints of a FuseFilter come in three widths.
    bits: rate >= 2 ** -8 ? 8 : rate >= 2 ** -16 ? 16 : 32,
    seed,
  });
  const except = await falsePositives(filter, list, options);
  for (const expression of removed) except.add(expression);
  const info: UrlListInfo = {
    version: options.version ?? created.toISOString(),
    created: created.toISOString(),
    source,
    entries: list.length,
    errorRate,
    except: Array.from(except),
    ...(base !== undefined && { base }),
  };
  const bytes = filter.toBytes();
  filter.dispose();
  return writeList(info, bytes);
}

/** A list file for UrlChecker, made of URLs, hosts (which stand for all that is on them) or expressions. */
export async function buildUrlList(
  entries: UrlEntries,
  options: BuildUrlListOptions = {},
): Promise<Uint8Array<ArrayBuffer>> {
  return build(await packed(entries, options), options.errorRate ?? 0.003, [], options);
}

/** A delta up to this size is always worth it. */
const SMALL = 4096;

/**
 * A file with what has changed since a list was built, for checkers that have that list: its additions as a second
 * filter, a tenth as likely to err, and its removals one by one. Undefined if it came to more than a quarter of the list:
 * then it is time for a new one.
 */
export async function buildUrlDelta(
  list: Uint8Array,
  options: BuildUrlDeltaOptions = {},
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const { info, filter } = readList(list);
  if (info.base !== undefined) throw new TypeError("list is a delta itself; give the list that it goes with.");
  const { added = [], removed = [], ...others } = options;
  const entries = await packed(added, others);
  const gone = new Set(await packed(removed, others));
  for (const entry of entries) gone.delete(entry);
  const { seed } = readHeader(filter, filter.length);
  const bytes = await build(entries, info.errorRate / 10, gone, { source: info.source, ...others, seed }, idOf(filter));
  return bytes.length <= Math.max(SMALL, list.length / 4) ? bytes : undefined;
}
