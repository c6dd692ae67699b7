import { BloomFilter } from "bloomline";
import { type ExpressionOptions, expressions, UrlChecker } from "bloomline/safe-browsing";
import { inSlices, type SliceOptions } from "../slices.js";
import { buildList, confirm } from "./server.js";
import { ENTRIES, entry } from "./urls.js";

const CHUNK = 1000;

/** Every entry: the truth that a filter only nearly tells. */
const truth = new Set<string>();
const truthKnown = inSlices((from) => {
  for (let i = from; i < from + CHUNK; i++) truth.add(entry(i));
  return from + CHUNK < ENTRIES ? from + CHUNK : undefined;
});

/** The filter's own file, which in a list file follows the lines of JSON; docs/FORMAT.md says so. */
function filterIn(list: Uint8Array): Uint8Array {
  const details = new DataView(list.buffer, list.byteOffset).getUint32(12, true);
  return list.subarray(64 + 64 * details);
}

/** The generated list, as its owner built it: opened by a checker, and laid open to be looked at. */
export class DemoList {
  readonly filterBytes: Uint8Array;
  readonly filter: BloomFilter;
  private readonly checkers = new Map<ExpressionOptions["suffixes"], Promise<UrlChecker>>();

  private constructor(private readonly file: Uint8Array<ArrayBuffer>) {
    this.filterBytes = filterIn(file);
    this.filter = BloomFilter.fromBytes(this.filterBytes);
  }

  static async build(errorRate: number, { signal, onProgress }: SliceOptions): Promise<DemoList> {
    const [file] = await Promise.all([buildList(errorRate, onProgress), truthKnown]);
    signal?.throwIfAborted();
    return new DemoList(file);
  }

  checker({ suffixes }: ExpressionOptions): Promise<UrlChecker> {
    let checker = this.checkers.get(suffixes);
    if (!checker) {
      checker = UrlChecker.load(this.file, { confirm, ...(suffixes && { suffixes }) });
      this.checkers.set(suffixes, checker);
    }
    return checker;
  }

  isListed(expression: string): boolean {
    return truth.has(expression);
  }

  /** Whether the URL is on the list, by any of its expressions. */
  holds(url: string, rules: ExpressionOptions): boolean {
    return expressions(url, rules).some((expression) => truth.has(expression));
  }
}
