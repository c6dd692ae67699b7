// What a file holds. Numbers are for ever: they are the format. Taken by `import * as KINDS`, so that a bundle has only
// those it uses.

export const bloom = 1;
export const classic = 2;
export const partitioned = 3;
export const counting = 4;
export const scalable = 5;
export const cuckoo = 6;
export const quotient = 7;
export const stable = 8;
export const aging = 9;
export const tiered = 10;
export const fuse = 11;
export const golomb = 12;
export const bloomier = 13;
export const approximator = 14;
export const bank = 15;
export const compact = 16;

/** What holds a filter is counted from 64. */
export const urlList = 64;
