import { CountingBloomFilter } from "bloomline";
import { describe } from "vitest";
import { conforms } from "./suite.js";

describe("CountingBloomFilter", () =>
  conforms({ type: CountingBloomFilter, counts: true, lacks: ["merge", "intersect"] }));
