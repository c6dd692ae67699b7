// Threads that set bits of the same few words at the same moment lose none.
import { describe, expect, test } from "vitest";
import { HEAD, SHARED_FILTER_AT } from "../../dist/engine/layout.js";
import { BloomFilter } from "../../dist/index.js";
import { runWorkers } from "./threads.js";
import { newGate } from "./workers/gate.mjs";
import { racingKeys, ways as waysToAdd } from "./workers/racing-keys.mjs";

const ways: Record<string, { kind: string }> = waysToAdd;

interface Race {
  readonly way: string;
  readonly kind: string;
  readonly overlap: boolean;
  readonly lines: number;
  readonly threads: number;
  readonly perThread: number;
  /** Set bits with plain stores instead. */
  readonly control: boolean;
}
interface Result {
  readonly round: number;
  readonly bytes: Uint8Array;
  readonly count: number;
}

const geometry = ({ lines }: Race) => ({ capacity: lines * 64, bitsPerKey: 8, hashes: 6 });

/** The race, run in these rounds by real threads. */
async function run(race: Race, rounds: readonly number[]): Promise<Result[]> {
  const { threads } = race;
  const filter = new BloomFilter({ ...geometry(race), shared: true });
  expect(filter.lines).toBe(race.lines);
  const common = { handle: filter.share(), linesAt: SHARED_FILTER_AT + HEAD, gate: newGate(), threads, rounds, race };
  const results = await runWorkers<Result[]>(
    "racer",
    Array.from({ length: threads }, (_, thread) => ({ ...common, thread })),
  );
  return results[0] as Result[];
}

/** The same, by one thread. */
function alone(race: Race, round: number): BloomFilter {
  const filter = new BloomFilter(geometry(race));
  for (let thread = 0; thread < race.threads; thread++) filter.addMany(racingKeys(race, round, thread));
  return filter;
}

function differsFromAlone(race: Race, { round, bytes }: Result): boolean {
  return Buffer.compare(bytes, alone(race, round).toBytes()) !== 0;
}

const sequence = (from: number, count: number) => Array.from({ length: count }, (_, i) => from + i);

/** Rounds in one go, and how many goes the control may take to lose a bit. */
const ROUNDS = 100;
const GOES = 50;

/** Plain stores, until they have lost a bit: how many goes that took. */
async function goesUntilLoss(race: Race): Promise<number> {
  for (let go = 0; go < GOES; go++) {
    const results = await run({ ...race, control: true }, sequence(go * ROUNDS, ROUNDS));
    if (results.some((result) => differsFromAlone(race, result))) return go + 1;
  }
  throw new Error(`Plain stores lost no bit in ${GOES * ROUNDS} rounds, so this race proves nothing.`);
}

const races: Race[] = [
  ...Object.keys(ways).map((way) => ({ way, lines: 1, threads: 2, overlap: true })),
  { way: "strings, in a batch", lines: 8, threads: 2, overlap: false },
  { way: "integers, one by one", lines: 2, threads: 4, overlap: true },
].map((form) => ({ ...form, kind: ways[form.way]!.kind, perThread: 64 * form.lines, control: false }));

describe.each(races)("$threads threads, $lines line(s), overlap $overlap, $way", (race) => {
  test("plain stores lose bits; the filter, as often and oftener, loses none", async () => {
    const goes = await goesUntilLoss(race);
    for (const result of await run(race, sequence(0, goes * ROUNDS))) {
      expect(differsFromAlone(race, result), `round ${result.round}`).toBe(false);
      expect(result.count, `count in round ${result.round}`).toBe(alone(race, result.round).count);
    }
  });
});
