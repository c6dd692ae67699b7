import { BloomFilter } from "mnemonist";

export default {
  name: "mnemonist",
  create: (capacity, errorRate) => new BloomFilter({ capacity, errorRate }),
  add: (filter, key) => filter.add(key),
  has: (filter, key) => filter.test(key),
  bytes: (filter) => filter.data.byteLength,
};
