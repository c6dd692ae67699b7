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
  /** The full hashes of those that are listed. */
  readonly listed: readonly string[];
  readonly listedUntil: number;
  readonly unlistedUntil: number;
}

interface Suspect {
  readonly matched: string;
  readonly hash: string;
  readonly prefix: string;
}

interface Outcome {
  readonly verdict: "safe" | "unsafe" | "unknown";
  readonly matched?: string;
}

/** As many answers are remembered. */
const MOST_ANSWERS = 20_000;

/** Hex digits of a prefix of 4 bytes. */
const PREFIX = 8;

function milliseconds(name: string, value: unknown): number {
  if (typeof value === "number" && value >= 0) return value * 1000;
  throw mustBe(name, value, "a number from 0 up");
}

function bytesOf(prefix: string): Uint8Array {
  return Uint8Array.from(prefix.match(/../g)!, (byte) => Number.parseInt(byte, 16));
}

async function suspectOf(matched: string): Promise<Suspect> {
  const hash = hex(await fullHash(matched));
  return { matched, hash, prefix: hash.slice(0, PREFIX) };
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

  constructor(confirm: Confirm, { timeoutSeconds = 10, backOff = {} }: ConfirmOptions) {
    if (typeof confirm !== "function") throw mustBe("confirm", confirm, "a function", TypeError);
    const { firstSeconds = 1, mostSeconds = 3600 } = backOff;
    this.#confirm = confirm;
    this.#timeout = milliseconds("timeoutSeconds", timeoutSeconds);
    this.#first = milliseconds("firstSeconds", firstSeconds);
    this.#most = milliseconds("mostSeconds", mostSeconds);
  }

  /** Whether one of these is listed. Rejects where that cannot be known. */
  async ask(expressions: readonly string[]): Promise<Outcome & { source: "cache" | "server" }> {
    const suspects = await Promise.all(expressions.map(suspectOf));
    const now = Date.now();
    const remembered = this.#outcome(suspects, now);
    if (remembered) return { ...remembered, source: "cache" };
    const unknown = suspects.filter((suspect) => this.#isListed(suspect, now) === undefined);
    await this.#askServer(new Set(unknown.map(({ prefix }) => prefix)));
    // What held when the check began, or came with the answer, holds for this check even if it ends this moment.
    return { verdict: "unknown", ...this.#outcome(suspects, 0), source: "server" };
  }

  /** Undefined where nothing is known that holds at this time. */
  #isListed({ prefix, hash }: Suspect, now: number): boolean | undefined {
    const answer = this.#answers.get(prefix);
    if (!answer) return undefined;
    const isListed = answer.listed.includes(hash);
    return (isListed ? answer.listedUntil : answer.unlistedUntil) > now ? isListed : undefined;
  }

  #outcome(suspects: readonly Suspect[], now: number): Outcome | undefined {
    const listed = suspects.find((suspect) => this.#isListed(suspect, now));
    if (listed) return { verdict: "unsafe", matched: listed.matched };
    return suspects.every((suspect) => this.#isListed(suspect, now) === false) ? { verdict: "safe" } : undefined;
  }

  /** Checks that run at the same time share their questions. */
  async #askServer(prefixes: ReadonlySet<string>): Promise<void> {
    const fresh = Array.from(prefixes).filter((prefix) => !this.#asking.has(prefix));
    if (fresh.length > 0) {
      const request = this.#request(fresh).finally(() => {
        for (const prefix of fresh) this.#asking.delete(prefix);
      });
      for (const prefix of fresh) this.#asking.set(prefix, request);
    }
    await Promise.all(Array.from(prefixes, (prefix) => this.#asking.get(prefix)));
  }

  async #request(prefixes: readonly string[]): Promise<void> {
    const asked = Date.now();
    if (asked < this.#retryAt) throw this.#failure;
    try {
      const signal = AbortSignal.timeout(this.#timeout);
      const late = new Promise<never>((_, reject) => {
        signal.onabort = () => reject(signal.reason);
      });
      this.#remember(prefixes, await Promise.race([this.#confirm(prefixes.map(bytesOf), { signal }), late]));
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

  #remember(prefixes: readonly string[], answer: Awaited<ReturnType<Confirm>>): void {
    const given = (Array.isArray(answer) ? { fullHashes: answer } : answer) as Confirmation;
    const { fullHashes, positiveSeconds = 300, negativeSeconds = 300 } = given;
    const hashes = fullHashes.map((hash) => {
      if (hash instanceof Uint8Array && hash.length === 32) return hex(hash);
      throw mustBe("a full hash", hash, "a Uint8Array of 32 bytes", TypeError);
    });
    const now = Date.now();
    const listedUntil = now + milliseconds("positiveSeconds", positiveSeconds);
    const unlistedUntil = now + milliseconds("negativeSeconds", negativeSeconds);
    for (const prefix of prefixes) {
      const listed = hashes.filter((hash) => hash.startsWith(prefix));
      this.#answers.delete(prefix);
      this.#answers.set(prefix, { listed, listedUntil, unlistedUntil });
    }
    for (const oldest of this.#answers.keys()) {
      if (this.#answers.size <= MOST_ANSWERS) break;
      this.#answers.delete(oldest);
    }
  }
}
