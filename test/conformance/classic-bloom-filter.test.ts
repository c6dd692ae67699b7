import { ClassicBloomFilter } from "bloomline";
import { describe } from "vitest";
import { conforms } from "./suite.js";

describe("ClassicBloomFilter", () => conforms({ type: ClassicBloomFilter }));
