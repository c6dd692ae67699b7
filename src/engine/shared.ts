import { BloomlineError, show } from "../errors.js";
import type { FilterHandle } from "./handle.js";
import type { Instance } from "./instance.js";
import { type Action, type FilterKernel, HAS, type Kernel } from "./kernel.js";
import { COUNTERS, COUNTERS_AT, HEAD, LINE, pagesFor, SHARED_FILTER_AT, THREADS_AT } from "./layout.js";
import { Region } from "./region.js";
import { SharedKernel } from "./shared-kernel.js";

type KernelOver = (module: WebAssembly.Module, memory: WebAssembly.Memory) => Kernel;

/** Int64s a cache line holds. */
const STRIDE = LINE / 8;

/** A filter in memory of its own that threads share. */
export class SharedRegion extends Region {
  readonly kernel: FilterKernel;
  readonly #counters: BigInt64Array;
  readonly #counter: number;

  constructor(
    readonly handle: FilterHandle,
    private readonly readonly: boolean,
    readonly exports: Kernel,
    readonly stage: Instance,
    bytes: number,
  ) {
    const { buffer } = handle.memory;
    super(buffer, SHARED_FILTER_AT, bytes);
    const own = new SharedKernel(exports, stage, buffer);
    this.kernel = readonly ? readonlyKernel(own) : own;
    this.#counters = new BigInt64Array(buffer, COUNTERS_AT, COUNTERS * STRIDE);
    this.#counter = (Atomics.add(new Uint32Array(buffer, THREADS_AT, 1), 0, 1) % COUNTERS) * STRIDE;
    exports.useCounter(COUNTERS_AT + this.#counter * 8);
  }

  get tally(): number {
    let sum = 0n;
    for (let i = 0; i < this.#counters.length; i += STRIDE) sum += Atomics.load(this.#counters, i);
    // Below zero if bits go whose thread was terminated before it counted them.
    return Math.max(0, Number(sum));
  }

  set tally(tally: number) {
    for (let i = 0; i < this.#counters.length; i += STRIDE)
      Atomics.store(this.#counters, i, i === 0 ? BigInt(tally) : 0n);
  }

  checkWritable(): void {
    if (this.readonly) refuse();
  }

  combine(how: "merge" | "intersect", from: number, bytes: Uint8Array): void {
    const theirs = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
    const mine = this.words().subarray(from / 4);
    let change = 0;
    for (let i = 0; i < theirs.length; i++) {
      const word = theirs[i]!;
      // Most words need no atomic.
      if (how === "merge") {
        if (word & ~mine[i]!) change += onesIn(word & ~Atomics.or(mine, i, word));
      } else if (mine[i]! & ~word) {
        change -= onesIn(Atomics.and(mine, i, word) & ~word);
      }
    }
    Atomics.add(this.#counters, this.#counter, BigInt(change));
  }

  release(): void {
    // The memory goes when the last thread lets go of it.
  }
}

function onesIn(x: number): number {
  let word = x - ((x >>> 1) & 0x55555555);
  word = (word & 0x33333333) + ((word >>> 2) & 0x33333333);
  return Math.imul((word + (word >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** A kernel that refuses every action but asking. */
function readonlyKernel(kernel: FilterKernel): FilterKernel {
  return {
    act: (filter, key, length, action) => kernel.act(filter, key, length, asking(action)),
    actInt: (filter, low, high, action) => kernel.actInt(filter, low, high, asking(action)),
    actHash: (filter, a, b, c, d, action) => kernel.actHash(filter, a, b, c, d, asking(action)),
    actHashes: (filter, hashes, n, out, action) => kernel.actHashes(filter, hashes, n, out, asking(action)),
  };
}

function asking(action: Action): Action {
  return action === HAS ? action : refuse();
}

function refuse(): never {
  throw new BloomlineError("ERR_READONLY", "The filter was attached with { readonly: true }. Attach it without.");
}

/** A new shared filter whose lines are empty. */
export function createShared(
  head: Uint8Array,
  bytes: number,
  { module, staging }: Pick<FilterHandle, "module" | "staging">,
  kernelOver: KernelOver,
  stage: Instance,
): SharedRegion {
  if (typeof SharedArrayBuffer === "undefined") {
    throw new BloomlineError(
      "ERR_NOT_ISOLATED",
      "{ shared: true } needs the headers Cross-Origin-Opener-Policy: same-origin and " +
        "Cross-Origin-Embedder-Policy: require-corp. Send them, or send workers toBytes().",
    );
  }
  const pages = pagesFor(SHARED_FILTER_AT + bytes);
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true });
  new Uint8Array(memory.buffer).set(head, SHARED_FILTER_AT);
  return new SharedRegion({ bloomline: 1, memory, module, staging }, false, kernelOver(module, memory), stage, bytes);
}

/** The filter behind a handle from another thread. Its head is still to be read and checked. */
export function attachShared(
  handle: FilterHandle,
  readonly: boolean,
  kernelOver: KernelOver,
  stage: Instance,
): SharedRegion {
  const bad = (what: string, cause?: unknown) =>
    new BloomlineError("ERR_HANDLE", `${what}. Give attach() what share() returned.`, {
      cause,
    });
  if (handle?.bloomline !== 1) throw bad(`handle is ${show(handle)} of version ${handle?.bloomline}, not 1`);
  const { memory, module } = handle;
  const buffer = memory?.buffer as ArrayBufferLike | undefined;
  if (typeof SharedArrayBuffer === "undefined" || !(buffer instanceof SharedArrayBuffer)) {
    throw bad("handle.memory is not shared memory");
  }
  const room = buffer.byteLength - SHARED_FILTER_AT;
  const bytes = room < HEAD ? HEAD : HEAD + new DataView(buffer, SHARED_FILTER_AT).getUint32(8, true) * LINE;
  if (room < bytes) throw bad(`handle.memory has ${buffer.byteLength} bytes, too few for the filter in it`);
  let kernel: Kernel;
  try {
    kernel = kernelOver(module, memory);
    kernel.useCounter(COUNTERS_AT);
  } catch (cause) {
    throw bad("handle.module is not the kernel for handle.memory", cause);
  }
  return new SharedRegion(handle, readonly, kernel, stage, bytes);
}
