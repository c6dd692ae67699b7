import { ClassicBloomFilter } from "../../dist/index.js";
import { bloomlineKind } from "./bloomline-kind.js";

export default bloomlineKind(
  "ClassicBloomFilter",
  (capacity, errorRate) => new ClassicBloomFilter({ capacity, errorRate }),
);
