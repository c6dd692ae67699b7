import { createHash } from "node:crypto";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Confirm, ListStore } from "bloomline/safe-browsing";
import { expressions } from "bloomline/safe-browsing";

/** So many hosts that are listed, and as many that are not. */
export const badHosts = (count: number) => Array.from({ length: count }, (_, i) => `bad${i}.example`);
export const goodHosts = (count: number) => Array.from({ length: count }, (_, i) => `good${i}.example`);

export const sha256 = (text: string) => new Uint8Array(createHash("sha256").update(text).digest());
export const hexOf = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");

/** A server in this process that knows these entries, and counts what it was asked. */
export function knowing(
  entries: readonly string[],
  durations: { positiveSeconds?: number; negativeSeconds?: number } = {},
) {
  const listed = new Set(entries.map((entry) => expressions(entry)[0]!));
  const questions: string[][] = [];
  const confirm: Confirm = async (prefixes) => {
    const asked = prefixes.map(hexOf);
    questions.push(asked);
    const fullHashes = [...listed].map(sha256).filter((hash) => asked.includes(hexOf(hash.subarray(0, 4))));
    return { fullHashes, ...durations };
  };
  return { confirm, questions, listed };
}

/** A store as Cache Storage is one, for Node. */
export class MemoryStore implements ListStore {
  readonly files = new Map<string, { bytes: Uint8Array<ArrayBuffer>; headers: Headers }>();

  async match(url: RequestInfo | URL): Promise<Response | undefined> {
    const file = this.files.get(String(url));
    return file && new Response(file.bytes, { headers: file.headers });
  }

  async put(url: RequestInfo | URL, response: Response): Promise<void> {
    this.files.set(String(url), { bytes: new Uint8Array(await response.arrayBuffer()), headers: response.headers });
  }

  async delete(url: RequestInfo | URL): Promise<boolean> {
    return this.files.delete(String(url));
  }
}

export const originOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

/** Ends a server at once, with the connections that clients keep open. */
export function stop(server: Server): void {
  server.close();
  server.closeAllConnections();
}
