import { CuckooFilter } from "bloomline";
import { describe } from "vitest";
import { conforms } from "./suite.js";

describe("CuckooFilter", () =>
  conforms({ type: CuckooFilter, counts: true, lacks: ["merge", "intersect", "share", "overfill"] }));
