import { BloomlineError, mustBe } from "../errors.js";
import { Confirmations, type ConfirmOptions } from "./confirmations.js";
import { type ExpressionOptions, type Suffixes, stretches } from "./expressions.js";
import { checkDigests, verifyDigest } from "./integrity.js";
import { type Layer, type LayerOptions, openLayer } from "./layer.js";
import type { UrlListInfo } from "./list-file.js";
import { probe } from "./probe.js";
import { defaultStore, type FetchOptions, type ListStore, Remote, type RemoteFile } from "./remote.js";

export interface UrlCheckerOptions extends FetchOptions, LayerOptions, ConfirmOptions {
  /** Where the delta of the list is, if there is one. */
  readonly delta?: string | URL;
  /** The Public Suffix List, for expressions as in version 5 of the protocol. */
  readonly suffixes?: Suffixes;
  /** Where to keep the list for offline starts: a Cache, or false for nowhere. Cache Storage unless given. */
  readonly store?: ListStore | false;
}

/** What a check came to. */
export interface Verdict {
  readonly verdict: "safe" | "unsafe" | "unknown";
  /** The expression of the URL that is listed, or may be. */
  readonly matched?: string;
  /** Who has the last word: the filter, the list's exceptions, a remembered answer, or the server. */
  readonly source: "filter" | "allowlist" | "cache" | "server";
  /** Why it is unknown. */
  readonly error?: unknown;
}

function applies(delta: Layer, list: Layer): boolean {
  return delta.info.base === list.id;
}

/** Checks URLs against a list on this device; a server is asked only about those that may be listed. */
export class UrlChecker {
  /** The list, and its delta where there is one. */
  #layers: readonly Layer[] = [];
  /** What each layer's filter may say yes to, wrongly. Those of the delta hold for the list too, not the other way round. */
  #except: readonly ReadonlySet<string>[] = [];
  readonly #options: UrlCheckerOptions;
  readonly #expressions: ExpressionOptions;
  readonly #answers: Confirmations | undefined;
  #list: Remote | undefined;
  #delta: Remote | undefined;
  #tags: { list?: string | null; delta?: string | null } = {};
  #updating: Promise<"unchanged" | "delta" | "full"> | undefined;
  #stored: Promise<boolean> = Promise.resolve(false);

  private constructor(options: UrlCheckerOptions) {
    const { confirm, suffixes, integrity } = options;
    checkDigests(integrity);
    this.#options = options;
    this.#expressions = suffixes ? { suffixes } : {};
    this.#answers = confirm && new Confirmations(confirm, options);
  }

  /**
   * A checker for the list at a URL, or in these bytes. A list that was kept from an earlier load is used at once, and
   * without the network: call `update` for a newer one.
   */
  static async load(
    source: string | URL | Uint8Array<ArrayBuffer>,
    options: UrlCheckerOptions = {},
  ): Promise<UrlChecker> {
    const checker = new UrlChecker(options);
    if (source instanceof Uint8Array) {
      await verifyDigest(source, options.integrity);
      checker.#use(await openLayer(source, options));
    } else if (typeof source === "string" || source instanceof URL) {
      const store = options.store === undefined ? await defaultStore() : options.store || undefined;
      checker.#list = new Remote(source, store);
      if (options.delta !== undefined) checker.#delta = new Remote(options.delta, store);
      if (!(await checker.#openKept())) await checker.#refresh(options);
    } else {
      throw mustBe("source", source, "a URL, or a list as a Uint8Array", TypeError);
    }
    return checker;
  }

  /** What is known of the list that is in use; of its delta, where there is one. */
  get info(): UrlListInfo {
    const [list, delta] = this.#layers as [Layer, Layer?];
    return {
      ...list.info,
      ...delta?.info,
      entries: list.info.entries + (delta?.info.entries ?? 0),
      errorRate: list.info.errorRate,
    };
  }

  /** "wasm" or "js". */
  get engine(): "wasm" | "js" {
    return this.#layers[0]!.filter.engine;
  }

  /** Whether the list in use has been kept for the next start without a network. Resolves once that is decided. */
  get stored(): Promise<boolean> {
    return this.#stored;
  }

  /** False: certainly not listed. True: it may be; `check` will tell. */
  mayBeUnsafe(url: string | Uint8Array): boolean {
    return this.#suspects(url).suspects.length > 0;
  }

  /** Asks the list, and where that says maybe, the server. "safe" only where one of them says so. */
  async check(url: string | Uint8Array): Promise<Verdict> {
    const { suspects, excepted } = this.#suspects(url);
    const [matched] = suspects;
    if (matched === undefined) return { verdict: "safe", source: excepted ? "allowlist" : "filter" };
    if (!this.#answers) return { verdict: "unknown", matched, source: "filter" };
    try {
      const { outcome, source } = await this.#answers.ask(suspects);
      return { ...outcome, source };
    } catch (error) {
      return { verdict: "unknown", matched, source: "server", error };
    }
  }

  #suspects(url: string | Uint8Array): { suspects: string[]; excepted: boolean } {
    const parts = stretches(url, this.#expressions);
    const suspects: string[] = [];
    let excepted = false;
    for (let i = 0; i < this.#layers.length; i++) {
      for (const expression of probe(this.#layers[i]!.filter, parts)) {
        if (this.#except[i]!.has(expression)) excepted = true;
        else if (!suspects.includes(expression)) suspects.push(expression);
      }
    }
    return { suspects, excepted };
  }

  /**
   * Fetches what is new and puts it in place of the old in one step; checks go on meanwhile. Tells what that was. If it
   * fails, it rejects, and the old list stays.
   */
  async update(options: FetchOptions = {}): Promise<"unchanged" | "delta" | "full"> {
    checkDigests(options.integrity);
    if (!this.#list)
      throw new TypeError("The list was loaded from bytes, so there is nowhere to look for a newer one.");
    if (this.#options.integrity !== undefined && options.integrity === undefined) {
      throw new TypeError("The list was loaded with an integrity: give update the digests of what may take its place.");
    }
    this.#updating ??= this.#refresh(options).finally(() => {
      this.#updating = undefined;
    });
    return this.#updating;
  }

  async #refresh(options: FetchOptions): Promise<"unchanged" | "delta" | "full"> {
    const delta = await this.#delta?.fetch(this.#tags.delta, options);
    if (delta === "unchanged") return "unchanged";
    const newer = typeof delta === "object" ? await this.#open(delta, options) : undefined;
    const [current] = this.#layers;
    if (newer && current && applies(newer, current)) {
      this.#use(current, newer);
      this.#keep("delta", delta as RemoteFile);
      return "delta";
    }
    const file = await this.#list!.fetch(this.#tags.list, options);
    if (file === "unchanged") return this.#withdrawDelta();
    if (file === "missing") throw this.#list!.failure(404);
    const list = await this.#open(file, options);
    const matches = newer !== undefined && applies(newer, list);
    this.#use(list, matches ? newer : undefined);
    this.#keep("list", file);
    this.#keep("delta", matches ? (delta as RemoteFile) : undefined);
    return "full";
  }

  /** What was added and removed since the list was made is no longer so. */
  #withdrawDelta(): "unchanged" | "delta" {
    const [list, delta] = this.#layers;
    if (!delta) return "unchanged";
    this.#use(list!);
    this.#keep("delta", undefined);
    return "delta";
  }

  #open({ bytes }: RemoteFile, { signal }: FetchOptions): Promise<Layer> {
    const { filters, engine } = this.#options;
    return openLayer(bytes, { filters, engine, signal });
  }

  async #openKept(): Promise<boolean> {
    const options = this.#options;
    const [list, delta] = await Promise.all([this.#list!.kept(options), this.#delta?.kept(options)]);
    if (!list) return false;
    try {
      const layer = await this.#open(list, options);
      const second = delta && (await this.#open(delta, options).catch(() => undefined));
      const matches = second !== undefined && applies(second, layer);
      this.#use(layer, matches ? second : undefined);
      this.#tags = { list: list.etag, delta: matches ? delta!.etag : null };
      this.#stored = Promise.resolve(true);
      return true;
    } catch (error) {
      // Damaged where it was kept: as good as not there. A missing class of filters is another matter.
      if (error instanceof BloomlineError && error.code === "ERR_KIND") throw error;
      options.signal?.throwIfAborted();
      return false;
    }
  }

  #keep(which: "list" | "delta", file: RemoteFile | undefined): void {
    this.#tags[which] = file?.etag ?? null;
    const remote = which === "list" ? this.#list : this.#delta;
    if (!remote) return;
    const earlier = this.#stored;
    const kept = remote.keep(file);
    this.#stored = which === "list" ? kept : Promise.all([earlier, kept]).then(([a, b]) => a && b);
  }

  /** Puts layers in place, and gives the memory of those that they replace back. */
  #use(list: Layer, delta?: Layer): void {
    const old = this.#layers;
    const added = new Set(delta?.info.except);
    this.#layers = delta ? [list, delta] : [list];
    this.#except = [new Set([...list.info.except, ...added]), added];
    for (const layer of old) if (layer !== list && layer !== delta) layer.filter.dispose();
  }

  /** Gives the memory back at once instead of when the checker is garbage-collected. Any later use is an error. */
  dispose(): void {
    for (const { filter } of this.#layers) filter.dispose();
  }
}
