import { PartitionedBloomFilter } from "bloomline";
import { describe } from "vitest";
import { conforms, type FilterClass } from "./suite.js";

describe("PartitionedBloomFilter", () => conforms({ type: PartitionedBloomFilter as unknown as FilterClass }));
