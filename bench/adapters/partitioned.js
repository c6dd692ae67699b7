import { PartitionedBloomFilter } from "../../dist/index.js";
import { bloomlineKind } from "./bloomline-kind.js";

export default bloomlineKind(
  "PartitionedBloomFilter",
  (capacity, errorRate) => new PartitionedBloomFilter({ capacity, errorRate }),
);
