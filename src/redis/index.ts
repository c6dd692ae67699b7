export type { Answer } from "./answer.js";
export type { KeySource, RebuildOptions, RotateOptions } from "./growing.js";
export { HybridFilter, type HybridOptions, type HybridStatus } from "./hybrid-filter.js";
export { type HybridHandle, HybridReader } from "./hybrid-handle.js";
export { fromIoredis } from "./ioredis.js";
export type { Progress } from "./layer-calls.js";
export type { RemoteOptions } from "./layout.js";
export { fromNodeRedis } from "./node-redis.js";
export type { Argument, RedisPort, Reply, WaitingPort } from "./port.js";
export { RedisBloomFilter, type RedisBloomFilterOptions, type RedisBloomInfo } from "./redis-bloom-filter.js";
export {
  type ConnectOptions,
  type CreateOptions,
  type LayerInfo,
  RedisFilter,
  type RedisFilterInfo,
  type SnapshotOptions,
} from "./redis-filter.js";
export { type DedupCounts, type DedupOptions, StreamDedup } from "./stream-dedup.js";
