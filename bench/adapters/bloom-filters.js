import bloomFilters from "bloom-filters";

export default {
  name: "bloom-filters",
  // At some 15 µs a key a full pass takes a quarter of a minute.
  sampleShare: 0.01,
  create: (capacity, errorRate) => bloomFilters.BloomFilter.create(capacity, errorRate),
  add: (filter, key) => filter.add(key),
  has: (filter, key) => filter.has(key),
  bytes: (filter) => Math.ceil(filter.size / 8),
};
