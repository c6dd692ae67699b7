import bloomFilters from "bloom-filters";
import classic from "./bloom-filters.js";

export default {
  ...classic,
  name: "bloom-filters PartitionedBloomFilter",
  create: (capacity, errorRate) => bloomFilters.PartitionedBloomFilter.create(capacity, errorRate),
  bytes: undefined,
};
