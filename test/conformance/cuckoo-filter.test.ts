import { CuckooFilter } from "bloomline";
import { describe } from "vitest";
import { conforms } from "./suite.js";

describe("CuckooFilter", () =>
  conforms({
    type: CuckooFilter,
    counts: true,
    lacks: ["merge", "intersect", "share", "overfill", "repeat"],
    // Fingerprints of 12 bits serve from 0.19 % to 2.9 %.
    anotherRate: 0.03,
  }));
