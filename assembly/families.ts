// Families of kinds, which are built, and downloaded, together. The entry of each names its own in the global FAMILY.

// @ts-ignore: decorator
@inline export const CORE: i32 = 0;
// @ts-ignore: decorator
@inline export const CLASSIC: i32 = 1;
// @ts-ignore: decorator
@inline export const DELETING: i32 = 2;
// @ts-ignore: decorator
@inline export const FROZEN: i32 = 3;
// @ts-ignore: decorator
@inline export const FOREIGN: i32 = 4;
