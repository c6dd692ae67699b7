export { type Cached, type GuardCache, type Id, lruCache, type RedisCacheOptions, redisCache } from "./cache.js";
export { CacheGuard, type GuardFilter, type GuardMetrics, type GuardOptions } from "./cache-guard.js";
