/** Well below the 50 ms from which on a task counts as long. */
const MOST_MS = 12;

/** A function to be awaited now and then in long work; it lets others have their turn, and throws once aborted. */
export function turnTaker(signal: AbortSignal | undefined): () => Promise<void> {
  let started = performance.now();
  return async () => {
    if (performance.now() - started >= MOST_MS) {
      // Ends the task, so that others get their turn: the page stays smooth, and an abort is heard.
      await new Promise((resolve) => setTimeout(resolve));
      started = performance.now();
    }
    signal?.throwIfAborted();
  };
}
