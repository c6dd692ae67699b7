// Work on the main thread in slices of a few milliseconds, so that the page answers to its user in between.

const SLICE_MS = 8;

interface Yielding {
  scheduler?: { yield?(): Promise<void> };
}

export function nextTurn(): Promise<void> {
  return (globalThis as Yielding).scheduler?.yield?.() ?? new Promise((resolve) => setTimeout(resolve));
}

/** Work that newer work has overtaken was aborted: that is no failure. */
export async function unlessOvertaken(work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof DOMException && error.name === "AbortError")) throw error;
  }
}

export interface SliceOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((done: number) => void) | undefined;
}

/** Calls `step(from)` until it returns undefined; each call says where the next begins and takes well under a slice. */
export async function inSlices(step: (from: number) => number | undefined, { signal, onProgress }: SliceOptions = {}) {
  let from: number | undefined = 0;
  while (from !== undefined) {
    const end = performance.now() + SLICE_MS;
    while (from !== undefined && performance.now() < end) from = step(from);
    if (from !== undefined) onProgress?.(from);
    await nextTurn();
    signal?.throwIfAborted();
  }
}
