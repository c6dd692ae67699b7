// The hashes of a batch in memory: h1, h2, h1, h2, …

// @ts-ignore: decorator
@inline export const HASH: usize = 16;

/** How many lines are touched before they are probed: enough to overlap, few enough to stay in the first-level cache. */
// @ts-ignore: decorator
@inline export const GROUP: usize = 128 * HASH;
