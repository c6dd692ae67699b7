import { CompactBloomFilter } from "bloomline";
import { describe } from "vitest";
import { conforms } from "./suite.js";

describe("CompactBloomFilter", () => conforms({ type: CompactBloomFilter }));
