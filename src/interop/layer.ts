import { backendFor } from "#backends";
import { allocate, checkEngine, type EngineChoice } from "../engine/backend.js";
import { foreign } from "../engine/families/foreign.js";
import type { Instance } from "../engine/instance.js";
import type { ForeignKernel } from "../engine/kernel.js";
import { LINE, MAX_LINES } from "../engine/layout.js";
import type { Region } from "../engine/region.js";
import { BloomlineError } from "../errors.js";
import { writeHeader } from "../format/header.js";

/** Where a dump's layers are worked on. */
export interface LayerOptions {
  /** "auto" (the default) is WebAssembly where it may run, and JavaScript where it may not. */
  readonly engine?: EngineChoice;
}

/** What the kernel needs to know of a layer. */
export interface LayerPlan {
  readonly kind: number;
  readonly bytes: number;
  readonly detail: number;
  readonly detail2: number;
}

/** One layer of a Redis dump, its bytes in linear memory just as Redis has them. */
export class Layer {
  private readonly region: Region;

  constructor(
    private readonly plan: LayerPlan,
    private readonly engine: EngineChoice = "auto",
  ) {
    checkEngine(engine);
    const lines = Math.ceil(plan.bytes / LINE);
    if (lines > MAX_LINES) {
      throw new BloomlineError("ERR_MEMORY", `A layer has ${plan.bytes} bytes; at most ${MAX_LINES * LINE} fit.`);
    }
    const unused = { hashes: 0, seed: 0n, capacity: 1, errorRate: 1, tally: 0, checksum: 0n };
    this.region = allocate(backendFor(foreign, engine), writeHeader({ ...plan, ...unused, lines }), lines, false, this);
  }

  /** Its bytes where they lie. */
  data(): Uint8Array {
    return this.region.lines().subarray(0, this.plan.bytes);
  }

  get stage(): Instance {
    return this.region.stage;
  }

  get kernel(): ForeignKernel {
    return this.region.stage.kernel as ForeignKernel;
  }

  get at(): number {
    return this.region.at;
  }

  clone(): Layer {
    const copy = new Layer(this.plan, this.engine);
    copy.data().set(this.data());
    return copy;
  }

  dispose(): void {
    this.region.release();
  }
}
