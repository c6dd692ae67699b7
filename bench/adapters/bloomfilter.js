import { BloomFilter } from "bloomfilter";
import { halfFill } from "./half-fill.js";

export default {
  name: "bloomfilter",
  create: (capacity, errorRate) => BloomFilter.withTargetError(capacity, errorRate),
  add: (filter, key) => filter.add(key),
  has: (filter, key) => filter.test(key),
  bytes: (filter) => filter.buckets.byteLength,
  prefill: (filter) => halfFill(filter.buckets),
};
