// How memory is laid out. A private memory: a scratch area, then filters. A shared one: what its threads agree upon, then
// one filter.

export const PAGE = 65536;
export const LINE = 64;

/** Bytes in front of a filter's lines; docs/FORMAT.md says what is in them. */
export const HEAD = 64;

/** How many keys are hashed and probed in one go. */
export const BATCH = 512;

/** How many integers are staged in one go: as many batches, with one view and one copy for all of them. */
export const INTEGERS = 4 * BATCH;

/** Bytes of a hash: h1, h2. */
export const HASH = 16;

// The kernel itself keeps constants from 16 to 112, in either memory.

/** The scratch area, by address. */
export const HASH_AT = 112; // one hash
export const HASHES_AT = 128; // those of a batch …
export const RESULTS_AT = HASHES_AT + BATCH * HASH; // … and its answers, a byte each
export const OFFSETS_AT = RESULTS_AT + BATCH; // u32: where each key of a batch begins, and where the last one ends
export const KEYS_AT = 10944; // key bytes, to the end
export const SCRATCH = 2 * PAGE;
export const KEYS_SIZE = SCRATCH - KEYS_AT;

/** The front of a shared memory, by address. */
export const SLOTS = 128;
export const SLOT_OWNERS_AT = 128; // i32 × SLOTS: who works in a slot
export const LOCK_AT = 640; // i32: who holds the lock
export const THREADS_AT = 704; // u32: how many times it was attached
export const COUNTERS = 16;
export const COUNTERS_AT = 1024; // i64, a cache line each: bits that threads have set
export const SLOTS_AT = 4096; // hashes and answers of a batch, for each slot
export const SLOT = BATCH * HASH + BATCH;
export const SHARED_FILTER_AT = 18 * PAGE;

/** There are addresses for 65,536 pages, and a typed array in Node 20 reaches no further than 4 GiB less one byte. */
export const MAX_PAGES = 65535;

/** The most lines a filter can have. */
export const MAX_LINES = (MAX_PAGES * PAGE - SHARED_FILTER_AT - HEAD) / LINE;

export function pagesFor(bytes: number): number {
  return Math.ceil(bytes / PAGE);
}
