// What FuseFilter and BloomierMap share: slots whose XOR is what a key stands for.

import type { EngineChoice } from "../engine/backend.js";
import { HEAD, LINE, MAX_LINES } from "../engine/layout.js";
import { BloomlineError, mustBe } from "../errors.js";
import type { Header, Parameters } from "../format/header.js";
import { type FuseHashes, fuseSizeFor, MAX_SEGMENT_BITS, mostSlotsFor } from "../sizing/fuse.js";
import type { HashList } from "./hash-list.js";
import { type EngineOptions, emptyFrom, type FilterClass, type ReadableFilter, regionOf } from "./line-filter.js";
import { MAX_ROUNDS, unbuildable, Workspace } from "./workspace.js";

/** What is built. */
export interface SlotPlan {
  readonly kind: number;
  readonly seed: bigint;
  readonly errorRate: number;
  readonly hashes: FuseHashes;
  /** Bits of a slot, and how many of them are a value. */
  readonly bits: number;
  readonly valueBits: number;
}

/** A map's lookups load whole words at any byte. */
const OVERHANG = 16;

function linesFor(slots: number, bits: number, valueBits: number): number {
  return Math.max(1, Math.ceil((Math.ceil((slots * bits) / 8) + (valueBits > 0 ? OVERHANG : 0)) / LINE));
}

function parametersFor(plan: SlotPlan, keys: number, rounds: number): Parameters {
  const { kind, seed, errorRate, hashes, bits, valueBits } = plan;
  const common = { kind, seed, errorRate, capacity: Math.max(1, keys) };
  // Nobody is a member of the empty set, not even at the error rate: no slots, no answer but no.
  if (keys === 0) return { ...common, hashes: 0, lines: 1, detail: detailOf(0, bits, 0, valueBits), detail2: 0 };
  const { segmentBits, range, slots } = fuseSizeFor(keys, hashes);
  const lines = linesFor(slots, bits, valueBits);
  return { ...common, hashes, lines, detail: detailOf(segmentBits, bits, rounds, valueBits), detail2: range };
}

function detailOf(segmentBits: number, bits: number, rounds: number, valueBits: number): number {
  return (segmentBits | (bits << 8) | (rounds << 16) | (valueBits << 24)) >>> 0;
}

/** What a header says of the slots. */
export function slotsIn({ detail = 0, detail2 = 0 }: Header | Parameters) {
  return {
    segmentBits: detail & 255,
    bits: (detail >>> 8) & 255,
    rounds: (detail >>> 16) & 255,
    valueBits: detail >>> 24,
    range: detail2,
  };
}

/** Whether every slot that a lookup can come to lies in the lines. */
export function areSound(header: Header): boolean {
  const { hashes, lines } = header;
  const { segmentBits, bits, rounds, valueBits, range } = slotsIn(header);
  if (hashes === 0) return segmentBits === 0 && rounds === 0 && range === 0 && lines === 1;
  const segment = 2 ** segmentBits;
  return (
    (hashes === 3 || hashes === 4) &&
    segmentBits >= 2 &&
    segmentBits <= MAX_SEGMENT_BITS &&
    rounds < MAX_ROUNDS &&
    range >= segment &&
    range % segment === 0 &&
    linesFor(range + (hashes - 1) * segment, bits, valueBits) === lines
  );
}

export function checkFuseHashes(hashes: unknown): asserts hashes is FuseHashes {
  if (hashes !== 3 && hashes !== 4) throw mustBe("hashes", hashes, "3 or 4");
}

/** Builds a filter of the hashes of its keys and, in a map, their values. */
export function buildSlots<T extends ReadableFilter>(
  type: FilterClass<T>,
  plan: SlotPlan,
  list: HashList,
  values: ArrayLike<number> | undefined,
  { engine = "auto", ...options }: EngineOptions & { engine?: EngineChoice },
): T {
  const { length } = list;
  const record = values ? 16 : 8;
  const mostSlots = mostSlotsFor(length, plan.hashes);
  const mostLines = linesFor(mostSlots, plan.bits, plan.valueBits);
  if (mostLines > MAX_LINES) {
    throw new RangeError(
      `There are ${length} keys; at ${plan.bits} bits a slot they do not fit in 4 GiB. Use several.`,
    );
  }
  const room = Math.max(length * record, mostSlots * 9);
  const space = new Workspace(engine, HEAD + (mostLines + 1) * LINE + length * record + room + 3 * LINE);
  try {
    const image = space.take(HEAD + mostLines * LINE);
    const records = space.take(length * record);
    const work = space.take(room);
    fill(space.words(records, (length * record) / 4), list, values);
    for (let rounds = 0; rounds < MAX_ROUNDS; rounds++) {
      if (rounds > 0) space.kernel.remixAll(records, length, record);
      const count = space.sort(records, length, record, work);
      if (count < 0) throw conflict();
      const parameters = parametersFor(plan, count, rounds);
      space.putHead(image, parameters);
      if (count > 0 && !space.kernel.peel(image, records, count, record, work)) continue;
      const filter = emptyFrom(type, parameters, { engine, ...options });
      const region = regionOf(filter);
      region.lines().set(space.bytes(image + HEAD, region.bytes - HEAD));
      region.tally = count;
      return filter;
    }
    throw unbuildable();
  } finally {
    space.release();
  }
}

function fill(words: Int32Array, list: HashList, values: ArrayLike<number> | undefined): void {
  list.copyTo(words, values ? 4 : 2);
  if (values) for (let i = 0; i < values.length; i++) words[i * 4 + 2] = values[i]!;
}

function conflict(): BloomlineError {
  return new BloomlineError(
    "ERR_BUILD",
    "A key has two different values. Give each key once, as new Map(entries) does; if that fails, give another seed.",
  );
}
