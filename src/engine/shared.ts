import { BloomlineError, show } from "../errors.js";
import type { FilterHandle } from "./handle.js";
import type { Instance } from "./instance.js";
import { type Action, type FilterKernel, HAS, type Kernel } from "./kernel.js";
import { isKernel } from "./kernel-over.js";
import { COUNTERS, COUNTERS_AT, HEAD, LINE, pagesFor, SHARED_FILTER_AT, THREADS_AT } from "./layout.js";
import { Region } from "./region.js";
import { SharedKernel } from "./shared-kernel.js";

/** Int64s a cache line holds. */
const STRIDE = LINE / 8;

/** A filter in memory of its own that threads share. */
export class SharedRegion extends Region {
  readonly kernel: FilterKernel;
  readonly #own: SharedKernel;
  readonly #counters: BigInt64Array;
  readonly #counter: number;

  constructor(
    readonly handle: FilterHandle,
    private readonly readonly: boolean,
    readonly stage: Instance,
    bytes: number,
  ) {
    const { buffer } = handle.memory;
    super(SHARED_FILTER_AT, bytes);
    this.#counters = new BigInt64Array(buffer, COUNTERS_AT, COUNTERS * STRIDE);
    this.#counter = (Atomics.add(new Uint32Array(buffer, THREADS_AT, 1), 0, 1) % COUNTERS) * STRIDE;
    this.#own = new SharedKernel(handle, stage, COUNTERS_AT + this.#counter * 8);
    this.kernel = readonly ? readonlyKernel(this.#own) : this.#own;
  }

  get buffer(): ArrayBufferLike {
    return this.handle.memory.buffer;
  }

  get exports(): Kernel {
    return this.#own.exports;
  }

  get tally(): number {
    let sum = 0n;
    for (let i = 0; i < this.#counters.length; i += STRIDE) sum += Atomics.load(this.#counters, i);
    // Below zero if bits go whose thread was terminated before it counted them.
    return Math.max(0, Number(sum));
  }

  set tally(tally: number) {
    // Nobody counts meanwhile: the filter is new, or is being cleared.
    this.#counters.fill(0n);
    this.#counters[0] = BigInt(tally);
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

/** One at a time: there are few in what changes, and the atomic before this costs more. */
function onesIn(word: number): number {
  let ones = 0;
  for (let rest = word; rest; rest &= rest - 1) ones++;
  return ones;
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
  module: WebAssembly.Module,
  staging: WebAssembly.Module,
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
  return new SharedRegion({ bloomline: 1, memory, module, staging }, false, stage, bytes);
}

function bad(what: string): BloomlineError {
  return new BloomlineError("ERR_HANDLE", `${what}. Give attach() what share() returned.`);
}

/** The filter behind a handle from another thread. Its head is still to be read and checked. */
export function attachShared(handle: FilterHandle, readonly: boolean, stage: Instance): SharedRegion {
  if (handle?.bloomline !== 1) throw bad(`handle is ${show(handle)} of version ${handle?.bloomline}, not 1`);
  const buffer = handle.memory?.buffer as ArrayBufferLike | undefined;
  if (typeof SharedArrayBuffer === "undefined" || !(buffer instanceof SharedArrayBuffer)) {
    throw bad("handle.memory is not shared memory");
  }
  const room = buffer.byteLength - SHARED_FILTER_AT;
  const bytes = room < HEAD ? HEAD : HEAD + new Uint32Array(buffer, SHARED_FILTER_AT, 3)[2]! * LINE;
  if (room < bytes) throw bad(`handle.memory has ${buffer.byteLength} bytes, too few for the filter in it`);
  if (!isKernel(handle.module)) throw bad("handle.module is not the kernel");
  return new SharedRegion(handle, readonly, stage, bytes);
}
