export type { Chunk } from "./chunks.js";
export { type BuiltFromKeys, convert, type ForeignFilter } from "./convert.js";
export { type Funnel, funnels, type Values } from "./funnels.js";
export { GuavaBloomFilter, type GuavaOptions } from "./guava-bloom-filter.js";
export type { GuavaStrategy } from "./guava-head.js";
export type { Item, Items } from "./items.js";
export type { LayerOptions } from "./layer.js";
export { RedisBloomDump, type RedisBloomOptions } from "./redisbloom-dump.js";
export { RedisCuckooDump } from "./rediscuckoo-dump.js";
