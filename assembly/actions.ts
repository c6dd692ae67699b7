// What can be done with a key; src/engine/kernel.ts has the same.

/** Is it there? */
// @ts-ignore: decorator
@inline export const HAS: u32 = 0;

/** Put it there; the answer is whether that changed anything. */
// @ts-ignore: decorator
@inline export const ADD: u32 = 1;

/** Take it away; the answer is whether it was there. */
// @ts-ignore: decorator
@inline export const DELETE: u32 = 2;
