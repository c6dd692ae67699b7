import { QuotientFilter } from "bloomline";
import { describe } from "vitest";
import { conforms } from "./suite.js";

describe("QuotientFilter", () =>
  conforms({ type: QuotientFilter, counts: true, lacks: ["intersect", "share", "overfill"], apart: ["merge"] }));
