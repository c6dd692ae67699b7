import { ScalableBloomFilter } from "../../dist/index.js";
import { bloomlineKind } from "./bloomline-kind.js";

/** It does not know how many keys will come. */
export default bloomlineKind(
  "ScalableBloomFilter",
  (_, errorRate) => new ScalableBloomFilter({ capacity: 1000, errorRate }),
);
