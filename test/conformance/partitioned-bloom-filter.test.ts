import { PartitionedBloomFilter } from "bloomline";
import { describe } from "vitest";
import { conforms } from "./suite.js";

describe("PartitionedBloomFilter", () => conforms({ type: PartitionedBloomFilter }));
