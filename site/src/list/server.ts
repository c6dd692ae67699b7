// The owner of the demo list, as the page sees it: a worker where others have a server.

export type Question = { readonly errorRate: number } | { readonly confirm: readonly Uint8Array[] };
export type Answer = { readonly progress: number } | { readonly done: unknown } | { readonly failed: string };

const worker = new Worker(new URL("./server.worker.ts", import.meta.url), { type: "module" });

function ask<T>(question: Question, onProgress?: (share: number) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }: MessageEvent<Answer>) => {
      if ("progress" in data) return onProgress?.(data.progress);
      port1.close();
      if ("done" in data) resolve(data.done as T);
      else reject(new Error(data.failed));
    };
    worker.addEventListener("error", ({ message }) => reject(new Error(message || "the worker could not be started")));
    worker.postMessage(question, [port2]);
  });
}

/** A list file, built anew. */
export function buildList(errorRate: number, onProgress?: (share: number) => void): Promise<Uint8Array<ArrayBuffer>> {
  return ask({ errorRate }, onProgress);
}

/** The listed hashes that begin with one of the prefixes: all that the owner of a list is ever asked. */
export function confirm(hashPrefixes: readonly Uint8Array[]): Promise<Uint8Array[]> {
  return ask({ confirm: hashPrefixes });
}
