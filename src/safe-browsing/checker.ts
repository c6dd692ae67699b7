import { BloomlineError, mustBe } from "../errors.js";
import { Confirmations, type ConfirmOptions } from "./confirmations.js";
import { type ExpressionOptions, type Suffixes, stretches } from "./expressions.js";
import { verifyDigest } from "./integrity.js";
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

/** What an update brought. */
export type Update = "unchanged" | "delta" | "full";

/** A damaged copy is as good as none. That its class of filters was not given, or an abort, is another matter. */
function orElse(error: unknown): undefined {
  if (!(error instanceof BloomlineError) || error.code === "ERR_KIND") throw error;
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
  #updating: Promise<Update> | undefined;
  #stored: Promise<boolean> = Promise.resolve(false);

  private constructor(options: UrlCheckerOptions) {
    const { confirm, suffixes } = options;
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
      checker.#use(await openLayer({ bytes: source, etag: "" }, options));
    } else if (typeof source === "string" || source instanceof URL) {
      const { store = await defaultStore() } = options;
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
      return await this.#answers.ask(suspects);
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
  async update(options: FetchOptions = {}): Promise<Update> {
    if (!this.#list) throw new TypeError("The list was loaded from bytes. Load the newer one.");
    if (this.#options.integrity !== undefined && options.integrity === undefined) {
      throw new TypeError("The list was loaded with an integrity. Give the one of the newer list.");
    }
    this.#updating ??= this.#refresh(options).finally(() => {
      this.#updating = undefined;
    });
    return this.#updating;
  }

  async #refresh(options: FetchOptions): Promise<Update> {
    const [current, oldDelta] = this.#layers;
    const change = await this.#delta?.fetch(options, oldDelta?.etag, 404);
    if (change === null) return "unchanged";
    const delta = change && (await this.#open(change, options));
    let file: RemoteFile | null | undefined;
    if (!current || delta?.info.base !== current.id) {
      file = await this.#list!.fetch(options, current?.etag);
      // The list is as it was. A delta for another is ahead of its list; where there is none any more, none holds.
      if (file === null && (change || !oldDelta)) return "unchanged";
    }
    const fits = this.#use(file ? await this.#open(file, options) : current!, delta);
    const kept = [file ? this.#list!.keep(file) : this.#stored, this.#delta?.keep(fits ? change : undefined)];
    this.#stored = Promise.all(kept).then((each) => !each.includes(false));
    return file ? "full" : "delta";
  }

  #open(file: RemoteFile, { signal }: FetchOptions): Promise<Layer> {
    const { filters, engine } = this.#options;
    return openLayer(file, { filters, engine, signal });
  }

  /** Opens what was kept; false where there is nothing, or it was damaged. */
  async #openKept(): Promise<boolean> {
    const options = this.#options;
    const kept = [this.#list, this.#delta].map(async (remote) => {
      const file = await remote?.kept(options);
      return file && this.#open(file, options).catch(orElse);
    });
    const [list, delta] = await Promise.all(kept);
    if (!list) return false;
    this.#use(list, delta);
    this.#stored = Promise.resolve(true);
    return true;
  }

  /** Puts layers in place, and gives the memory of those that they replace back. Tells whether the delta fits the list. */
  #use(list: Layer, delta?: Layer): boolean {
    const old = this.#layers;
    const fits = delta?.info.base === list.id;
    const added = new Set(fits ? delta!.info.except : []);
    this.#layers = fits ? [list, delta!] : [list];
    this.#except = [new Set([...list.info.except, ...added]), added];
    for (const layer of old) if (!this.#layers.includes(layer)) layer.filter.dispose();
    return fits;
  }

  /** Gives the memory back at once instead of when the checker is garbage-collected. Any later use is an error. */
  dispose(): void {
    for (const { filter } of this.#layers) filter.dispose();
  }
}
