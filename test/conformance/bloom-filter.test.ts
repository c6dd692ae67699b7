import { BloomFilter } from "bloomline";
import { describe } from "vitest";
import { conforms } from "./suite.js";

describe("BloomFilter", () => conforms({ type: BloomFilter }));
