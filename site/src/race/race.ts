import { Runner } from "./runner.js";
import type { SubjectName } from "./subjects.js";

const ROUNDS = 5;
const ROUND_MS = 150;

export interface Entrant {
  readonly name: string;
  readonly subject: SubjectName;
  /** Workers on one filter; more than one needs shared memory. */
  readonly workers: number;
}

export interface Score {
  readonly entrant: Entrant;
  readonly byteLength: number | undefined;
  readonly wrong: number;
  /** Lookups a second, the median of the rounds so far. */
  readonly rate: number;
}

export interface RaceOptions {
  readonly keys: number;
  readonly batch: boolean;
  readonly signal: AbortSignal;
  onScore(score: Score): void;
  onProgress(fraction: number, doing: string): void;
}

interface Lane {
  readonly entrant: Entrant;
  readonly runners: Runner[];
  readonly byteLength: number | undefined;
  readonly wrong: number;
  readonly rates: number[];
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}

/** Shared lanes use the same workers and the same filter: a lane of two is a lane of one and another worker. */
class Team {
  private readonly runners: Runner[] = [];
  private first: Awaited<ReturnType<Runner["prepare"]>> | undefined;

  constructor(
    private readonly keys: number,
    private readonly hired: (runner: Runner) => Runner,
  ) {}

  async lane(entrant: Entrant): Promise<Lane> {
    while (this.runners.length < entrant.workers) {
      const runner = this.hired(new Runner());
      this.runners.push(runner);
      const handle = this.first?.handle;
      const { keys } = this;
      if (handle) await runner.prepare({ attach: handle, keys });
      else this.first = await runner.prepare({ prepare: "shared", keys });
    }
    const { byteLength, wrong } = this.first!;
    return { entrant, runners: this.runners.slice(0, entrant.workers), byteLength, wrong, rates: [] };
  }
}

/** Prepares every entrant, then lets them run by turns. */
export async function race(entrants: readonly Entrant[], options: RaceOptions): Promise<void> {
  const { keys, batch, signal, onScore, onProgress } = options;
  const all: Runner[] = [];
  const hired = (runner: Runner) => {
    all.push(runner);
    return runner;
  };
  const team = new Team(keys, hired);
  const steps = entrants.length * (1 + ROUNDS);
  let step = 0;
  const advance = (doing: string) => {
    signal.throwIfAborted();
    onProgress(step++ / steps, doing);
  };
  const stopped = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason));
  });
  const unlessStopped = <T>(work: Promise<T>) => Promise.race([work, stopped]);

  async function prepared(entrant: Entrant): Promise<Lane> {
    if (entrant.subject === "shared") return team.lane(entrant);
    const runner = hired(new Runner());
    return { entrant, runners: [runner], ...(await runner.prepare({ prepare: entrant.subject, keys })), rates: [] };
  }

  try {
    const lanes: Lane[] = [];
    for (const entrant of entrants) {
      advance(`filling ${entrant.name}`);
      lanes.push(await unlessStopped(prepared(entrant)));
    }
    for (let round = 1; round <= ROUNDS; round++) {
      for (const { entrant, runners, byteLength, wrong, rates } of lanes) {
        advance(`round ${round} of ${ROUNDS}`);
        const runs = await unlessStopped(Promise.all(runners.map((runner) => runner.run(ROUND_MS, batch))));
        rates.push(runs.reduce((sum, { lookups, milliseconds }) => sum + (1000 * lookups) / milliseconds, 0));
        onScore({ entrant, byteLength, wrong, rate: median(rates) });
      }
    }
  } finally {
    for (const runner of all) runner.end();
  }
}
