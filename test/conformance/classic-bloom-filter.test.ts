import { ClassicBloomFilter } from "bloomline";
import { describe } from "vitest";
import { conforms, type FilterClass } from "./suite.js";

describe("ClassicBloomFilter", () => conforms({ type: ClassicBloomFilter as unknown as FilterClass }));
