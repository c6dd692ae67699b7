// How an instance's memory is laid out: a scratch area, then the filters. assembly/filter.ts knows the first part.

export const PAGE = 65536;
export const LINE = 64;

/** Bytes in front of a filter's lines; docs/FORMAT.md says what is in them. */
export const HEAD = 64;

/** How many keys a batch call of the kernel takes at most. */
export const BATCH = 1024;

/** The scratch area, by offset. */
export const HASH_AT = 16; // the 16 bytes of one hash
export const OFFSETS_AT = 2176; // u32 × (BATCH + 1), behind the kernel's probes
export const RESULTS_AT = 6336; // u8 × BATCH
export const KEYS_AT = 7360; // key bytes, to the end
export const SCRATCH = 2 * PAGE;
export const KEYS_SIZE = SCRATCH - KEYS_AT;

/** WebAssembly addresses 65,536 pages, and a typed array in Node 20 reaches no further than 4 GiB less one byte. */
export const MAX_PAGES = 65535;

/** The most lines a filter can have. */
export const MAX_LINES = (MAX_PAGES * PAGE - SCRATCH - HEAD) / LINE;

export function pagesFor(bytes: number): number {
  return Math.ceil(bytes / PAGE);
}
