import { mustBe } from "../errors.js";
import { fullHash } from "./hash.js";
import { hex } from "./list-file.js";

/** What a server says of hash prefixes. */
export interface Confirmation {
  /** SHA-256 of every listed expression whose hash begins with one of the prefixes, 32 bytes each. */
  readonly fullHashes: readonly Uint8Array[];
  /** How long these stay listed; 300 unless given. */
  readonly positiveSeconds?: number;
  /** How long all others with these prefixes stay unlisted; 300 unless given. */
  readonly negativeSeconds?: number;
}

/** Asks a server for the full hashes behind prefixes of 4 bytes. It learns nothing else of the URL. */
export type Confirm = (
  hashPrefixes: Uint8Array[],
  options: { readonly signal: AbortSignal },
) => Promise<Confirmation | readonly Uint8Array[]>;

export interface ConfirmOptions {
  readonly confirm?: Confirm;
  /** After this the server counts as failed; 10 unless given. */
  readonly timeoutSeconds?: number;
  /** How long a failed server is left alone: at first, doubled with each failure, and at most. 1 and 3600 unless given. */
  readonly backOff?: { readonly firstSeconds?: number; readonly mostSeconds?: number };
}

/** What is known of all expressions with one prefix, and until when. */
interface Answer {
  /** Of the listed ones, by full hash. */
  readonly positive: ReadonlyMap<string, number>;
  readonly negative: number;
}

interface Suspect {
  readonly expression: string;
  readonly hash: string;
  readonly prefix: string;
}

export type Outcome = { verdict: "unsafe"; matched: string } | { verdict: "safe" };

/** As many answers are remembered. */
const MOST_ANSWERS = 20_000;
const PREFIX = 4;

function checkSeconds(name: string, value: unknown): number {
  if (typeof value === "number" && value >= 0) return value;
  throw mustBe(name, value, "seconds, from 0 up", typeof value === "number" ? RangeError : TypeError);
}

function parse(answer: Awaited<ReturnType<Confirm>>): Required<Confirmation> {
  const {
    fullHashes,
    positiveSeconds = 300,
    negativeSeconds = 300,
  } = Array.isArray(answer) ? { fullHashes: answer as readonly Uint8Array[] } : (answer as Confirmation);
  for (const hash of fullHashes) {
    if (!(hash instanceof Uint8Array && hash.length === 32)) {
      throw mustBe("a hash from confirm", hash, "a Uint8Array of 32 bytes", TypeError);
    }
  }
  checkSeconds("positiveSeconds", positiveSeconds);
  checkSeconds("negativeSeconds", negativeSeconds);
  return { fullHashes, positiveSeconds, negativeSeconds };
}

/** The server's answers: asked for once, remembered for as long as they hold, not asked for while it fails. */
export class Confirmations {
  readonly #confirm: Confirm;
  readonly #timeout: number;
  readonly #first: number;
  readonly #most: number;
  readonly #answers = new Map<string, Answer>();
  readonly #asking = new Map<string, Promise<void>>();
  #failures = 0;
  #failure: unknown;
  #retryAt = 0;

  constructor(
    confirm: Confirm,
    { timeoutSeconds = 10, backOff: { firstSeconds = 1, mostSeconds = 3600 } = {} }: ConfirmOptions,
  ) {
    if (typeof confirm !== "function") throw mustBe("confirm", confirm, "a function of hash prefixes", TypeError);
    this.#confirm = confirm;
    this.#timeout = checkSeconds("timeoutSeconds", timeoutSeconds) * 1000;
    this.#first = checkSeconds("firstSeconds", firstSeconds) * 1000;
    this.#most = checkSeconds("mostSeconds", mostSeconds) * 1000;
  }

  /** Whether one of these is listed. Rejects where that cannot be known. */
  async ask(expressions: readonly string[]): Promise<{ outcome: Outcome; source: "cache" | "server" }> {
    const suspects = await Promise.all(
      expressions.map(async (expression) => {
        const hash = hex(await fullHash(expression));
        return { expression, hash, prefix: hash.slice(0, PREFIX * 2) };
      }),
    );
    const remembered = this.#outcome(suspects, Date.now());
    if (remembered) return { outcome: remembered, source: "cache" };
    const now = Date.now();
    const unknown = suspects.filter((suspect) => this.#isListed(suspect, now) === undefined);
    await this.#askServer(Array.from(new Set(unknown.map(({ prefix }) => prefix))));
    // What was fresh before the question, or came with the answer, holds for this check even if it ends this moment.
    const outcome = this.#outcome(suspects, 0);
    if (!outcome) throw new Error("More answers came than can be remembered.");
    return { outcome, source: "server" };
  }

  /** Undefined where nothing is known that holds at this time. */
  #isListed({ prefix, hash }: Suspect, now: number): boolean | undefined {
    const answer = this.#answers.get(prefix);
    const listedUntil = answer?.positive.get(hash);
    if (listedUntil !== undefined) return listedUntil > now || undefined;
    return answer && answer.negative > now ? false : undefined;
  }

  #outcome(suspects: readonly Suspect[], now: number): Outcome | undefined {
    const listed = suspects.find((suspect) => this.#isListed(suspect, now));
    if (listed) return { verdict: "unsafe", matched: listed.expression };
    return suspects.every((suspect) => this.#isListed(suspect, now) === false) ? { verdict: "safe" } : undefined;
  }

  /** Checks that run at the same time share their questions. */
  async #askServer(prefixes: readonly string[]): Promise<void> {
    const fresh = prefixes.filter((prefix) => !this.#asking.has(prefix));
    if (fresh.length > 0) {
      const request = this.#request(fresh).finally(() => {
        for (const prefix of fresh) this.#asking.delete(prefix);
      });
      for (const prefix of fresh) this.#asking.set(prefix, request);
    }
    await Promise.all(prefixes.map((prefix) => this.#asking.get(prefix)));
  }

  async #request(prefixes: readonly string[]): Promise<void> {
    const asked = Date.now();
    if (asked < this.#retryAt) throw this.#failure;
    try {
      this.#remember(prefixes, parse(await this.#inTime(prefixes)));
      this.#failures = 0;
    } catch (error) {
      this.#failure = error;
      // Questions that were under way together fail together, and count once.
      if (asked >= this.#retryAt) {
        const wait = this.#first * 2 ** this.#failures++ * (1 + Math.random());
        this.#retryAt = Date.now() + Math.min(wait, this.#most);
      }
      throw error;
    }
  }

  async #inTime(prefixes: readonly string[]): ReturnType<Confirm> {
    const bytes = prefixes.map((prefix) =>
      Uint8Array.from({ length: PREFIX }, (_, i) => Number.parseInt(prefix.slice(i * 2, i * 2 + 2), 16)),
    );
    const abort = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    try {
      const late = new Promise<never>((_, reject) => {
        timer = setTimeout(() => {
          const error = new Error(`confirm did not answer within ${this.#timeout / 1000} s.`);
          abort.abort(error);
          reject(error);
        }, this.#timeout);
      });
      return await Promise.race([this.#confirm(bytes, { signal: abort.signal }), late]);
    } finally {
      clearTimeout(timer);
    }
  }

  #remember(
    prefixes: readonly string[],
    { fullHashes, positiveSeconds, negativeSeconds }: Required<Confirmation>,
  ): void {
    const now = Date.now();
    const listed = fullHashes.map(hex);
    for (const prefix of prefixes) {
      const own = listed.filter((hash) => hash.startsWith(prefix));
      this.#answers.delete(prefix);
      this.#answers.set(prefix, {
        positive: new Map(own.map((hash) => [hash, now + positiveSeconds * 1000])),
        negative: now + negativeSeconds * 1000,
      });
    }
    for (const oldest of this.#answers.keys()) {
      if (this.#answers.size <= MOST_ANSWERS) break;
      this.#answers.delete(oldest);
    }
  }
}
