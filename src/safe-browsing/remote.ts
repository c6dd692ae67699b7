import { BloomlineError } from "../errors.js";
import { verifyDigest } from "./integrity.js";
import { lengthOf } from "./list-file.js";

export interface FetchProgress {
  /** So many bytes have come … */
  readonly bytes: number;
  /** … of so many; undefined until the first have. */
  readonly total: number | undefined;
}

export interface FetchOptions {
  readonly onProgress?: (progress: FetchProgress) => void;
  readonly signal?: AbortSignal | undefined;
  /** Digests as in the integrity attribute of a script: the file must have one of them. */
  readonly integrity?: string;
}

/** Where files are kept for offline starts: a Cache is one. */
export type ListStore = Pick<Cache, "match" | "put" | "delete">;

/** A file, and the tag under which its server knows it, "" if it has none. */
export interface RemoteFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly etag: string;
}

/** Cache Storage, where there is one: not in Node, nor in a page without a secure origin. */
export async function defaultStore(): Promise<ListStore | undefined> {
  try {
    return await caches.open("bloomline");
  } catch {
    return undefined;
  }
}

function concat(chunks: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}

/** Reads a list to its end, and not further. */
async function readBody(response: Response, onProgress: FetchOptions["onProgress"]): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  let total: number | undefined;
  const reader = response.body!.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    chunks.push(next.value);
    bytes += next.value.length;
    total ??= lengthOf(concat(chunks, bytes));
    // What is too long is not worth the rest of its bytes; the reader of the list will say so.
    if (bytes > (total ?? bytes)) break;
    onProgress?.({ bytes, total });
  }
  reader.cancel().catch(() => {});
  return concat(chunks, bytes);
}

async function read(response: Response, { integrity, onProgress }: FetchOptions): Promise<RemoteFile> {
  const bytes = await readBody(response, onProgress);
  await verifyDigest(bytes, integrity);
  return { bytes, etag: response.headers.get("etag") ?? "" };
}

/** A file on a server, and the copy that is kept of it here. */
export class Remote {
  readonly #url: string;
  readonly #store: ListStore | undefined;

  constructor(url: string | URL, store: ListStore | false | undefined) {
    this.#url = String(url);
    this.#store = store || undefined;
  }

  /** The copy, if there is one that can be read and has the digest. */
  async kept(options: FetchOptions): Promise<RemoteFile | undefined> {
    try {
      const response = await this.#store?.match(this.#url);
      return response && (await read(response, options));
    } catch {
      return undefined;
    }
  }

  /** The file as it is now; null if it is the one with that tag, undefined if the server has none and that is allowed. */
  async fetch(options: FetchOptions, etag: string | undefined, allowed?: 404): Promise<RemoteFile | null | undefined> {
    const headers: HeadersInit = etag ? { "If-None-Match": etag } : {};
    const response = await fetch(this.#url, { headers, signal: options.signal ?? null });
    const { status } = response;
    if (status === 200) return read(response, options);
    if (status === 304) return null;
    if (status === allowed) return undefined;
    throw new BloomlineError("ERR_FETCH", `${this.#url} answered with status ${status}.`);
  }

  /** Keeps a copy of the file, or none; false where that is not possible. */
  async keep(file: RemoteFile | undefined): Promise<boolean> {
    try {
      if (!this.#store) return false;
      if (file) await this.#store.put(this.#url, new Response(file.bytes, { headers: { etag: file.etag } }));
      else await this.#store.delete(this.#url);
      return true;
    } catch {
      // Out of quota, or a scheme that Cache Storage does not take. The list itself is in place.
      return false;
    }
  }
}
