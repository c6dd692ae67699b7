import bloomFilters from "bloom-filters";
import classic from "./bloom-filters.js";

export default {
  ...classic,
  name: "bloom-filters ScalableBloomFilter",
  create: (_, errorRate) => new bloomFilters.ScalableBloomFilter(1000, errorRate),
  bytes: undefined,
};
