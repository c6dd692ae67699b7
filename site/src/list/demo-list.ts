import { BloomFilter } from "bloomline";
import { type ExpressionOptions, expressions } from "bloomline/safe-browsing";
import { inSlices, type SliceOptions } from "../slices.js";
import { entry } from "./urls.js";

export const ENTRIES = 100_000;
const CHUNK = 1000;

export interface Checked {
  readonly expressions: readonly string[];
  /** 1 for each expression that may be on the list. */
  readonly maybe: Uint8Array;
}

/** The generated list: in a filter, as a browser would carry it, and in a Set, which knows the truth. */
export class DemoList {
  private constructor(
    readonly filter: BloomFilter,
    private readonly truth: ReadonlySet<string>,
  ) {}

  static async build(errorRate: number, options: SliceOptions): Promise<DemoList> {
    const filter = new BloomFilter({ capacity: ENTRIES, errorRate });
    const truth = new Set<string>();
    await inSlices((from) => {
      const chunk = Array.from({ length: CHUNK }, (_, i) => entry(from + i));
      filter.addMany(chunk);
      for (const expression of chunk) truth.add(expression);
      return from + CHUNK < ENTRIES ? from + CHUNK : undefined;
    }, options);
    return new DemoList(filter, truth);
  }

  /** Canonical form, expressions, and all of these asked as one batch. */
  check(url: string, rules: ExpressionOptions): Checked {
    const all = expressions(url, rules);
    return { expressions: all, maybe: this.filter.hasMany(all) };
  }

  isListed(expression: string): boolean {
    return this.truth.has(expression);
  }
}
