import { backendFor } from "#backends";
import { allocate, checkEngine, type EngineChoice } from "../engine/backend.js";
import { frozen } from "../engine/families/frozen.js";
import type { Instance } from "../engine/instance.js";
import type { FrozenKernel } from "../engine/kernel.js";
import { HEAD, KEYS_AT, LINE } from "../engine/layout.js";
import type { Region } from "../engine/region.js";
import { BloomlineError } from "../errors.js";
import { type Parameters, writeHeader } from "../format/header.js";

/** Remixing helps within a few rounds, or the keys were chosen so that it does not. */
export const MAX_ROUNDS = 64;

/** The error for keys that no round of remixing helps. */
export function unbuildable(): BloomlineError {
  return new BloomlineError(
    "ERR_BUILD",
    `No filter could be built of these keys in ${MAX_ROUNDS} rounds: they were chosen to that end. Give another seed.`,
  );
}

/** Private memory for the time of a build. Its parts begin at multiples of 64. */
export class Workspace {
  readonly kernel: FrozenKernel;
  readonly stage: Instance;
  readonly #region: Region;
  #free: number;

  constructor(engine: EngineChoice, bytes: number) {
    checkEngine(engine);
    const lines = Math.max(1, Math.ceil(bytes / LINE));
    this.#region = allocate(backendFor(frozen, engine), new Uint8Array(HEAD), lines, false, this);
    this.stage = this.#region.stage;
    this.kernel = this.#region.exports as FrozenKernel;
    this.#free = this.#region.at + HEAD;
  }

  /** The address of so many bytes, which have not been used before. */
  take(bytes: number): number {
    const at = this.#free;
    this.#free += Math.ceil(bytes / LINE) * LINE;
    return at;
  }

  bytes(at: number, length: number): Uint8Array {
    return new Uint8Array(this.stage.buffer, at, length);
  }

  words(at: number, length: number): Int32Array {
    return new Int32Array(this.stage.buffer, at, length);
  }

  /** Puts the head of a filter at an address, for the kernel. */
  putHead(at: number, parameters: Parameters): void {
    this.bytes(at, HEAD).set(writeHeader({ ...parameters, tally: 0, checksum: 0n }));
  }

  /** Sorts n records and drops what is there twice; `spare` is as long. Returns how many are left, or -1 for a conflict. */
  sort(list: number, n: number, record: number, spare: number): number {
    this.kernel.sort(list, n, record, spare, KEYS_AT);
    return this.kernel.distinct(list, n, record);
  }

  release(): void {
    this.#region.release();
  }
}

/** Where to hash the keys of a build, whose number is not known yet. */
export function withStage<T>(engine: EngineChoice, use: (stage: Instance) => T): T {
  const space = new Workspace(engine, LINE);
  try {
    return use(space.stage);
  } finally {
    space.release();
  }
}
