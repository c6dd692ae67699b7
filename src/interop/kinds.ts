/** Other systems' kinds, for the kernel's eyes only: they are in no .bloom file. */
export const FOREIGN_KINDS = { guava: 240, redisBloom: 241, redisCuckoo: 242 } as const;
