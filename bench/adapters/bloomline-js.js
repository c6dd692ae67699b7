import { BloomFilter } from "../../dist/index.js";
import bloomline from "./bloomline.js";

export default {
  ...bloomline,
  name: "bloomline (js engine)",
  create: (capacity, errorRate) => new BloomFilter({ capacity, errorRate, engine: "js" }),
};
