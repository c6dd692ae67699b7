import { BloomlineError, show } from "../errors.js";
import type { FilterHandle } from "./handle.js";
import type { Instance } from "./instance.js";
import type { FilterKernel, Kernel } from "./kernel.js";
import { COUNTERS, COUNTERS_AT, HEAD, LINE, pagesFor, SHARED_FILTER_AT, THREADS_AT } from "./layout.js";
import { Region } from "./region.js";
import { SharedKernel } from "./shared-kernel.js";

type KernelOver = (module: WebAssembly.Module, memory: WebAssembly.Memory) => Kernel;

/** Int64s a cache line holds. */
const STRIDE = LINE / 8;

/** A filter in memory of its own that threads share. */
export class SharedRegion extends Region {
  readonly kernel: FilterKernel;
  private readonly counters: BigInt64Array;
  private readonly counter: number;

  constructor(
    readonly handle: FilterHandle,
    private readonly readonly: boolean,
    kernel: Kernel,
    readonly stage: Instance,
    bytes: number,
  ) {
    const { buffer } = handle.memory;
    super(buffer, SHARED_FILTER_AT, bytes);
    this.kernel = readonly ? readonlyKernel(kernel, stage, buffer) : new SharedKernel(kernel, stage, buffer);
    this.counters = new BigInt64Array(buffer, COUNTERS_AT, COUNTERS * STRIDE);
    this.counter = (Atomics.add(new Uint32Array(buffer, THREADS_AT, 1), 0, 1) % COUNTERS) * STRIDE;
    kernel.useCounter(COUNTERS_AT + this.counter * 8);
  }

  get ones(): number {
    let sum = 0n;
    for (let i = 0; i < this.counters.length; i += STRIDE) sum += Atomics.load(this.counters, i);
    return Number(sum);
  }

  set ones(ones: number) {
    for (let i = 0; i < this.counters.length; i += STRIDE) Atomics.store(this.counters, i, i === 0 ? BigInt(ones) : 0n);
  }

  checkWritable(): void {
    if (this.readonly) refuse();
  }

  combine(how: "merge" | "intersect", from: number, bytes: Uint8Array): void {
    const theirs = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
    const mine = new Int32Array(this.buffer, this.at + HEAD + from, theirs.length);
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
    Atomics.add(this.counters, this.counter, BigInt(change));
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

function readonlyKernel(kernel: Kernel, stage: Instance, buffer: ArrayBufferLike): FilterKernel {
  const shared = new SharedKernel(kernel, stage, buffer);
  return Object.assign(shared, { add: refuse, addInt: refuse, addHash: refuse, addHashes: refuse });
}

function refuse(): never {
  throw new BloomlineError(
    "ERR_READONLY",
    "This thread attached the filter with { readonly: true }, so it cannot write. Attach without it, or write in another thread.",
  );
}

/** A new shared filter whose lines are empty. */
export function createShared(
  head: Uint8Array,
  bytes: number,
  module: WebAssembly.Module,
  kernelOver: KernelOver,
  stage: Instance,
): SharedRegion {
  if (typeof SharedArrayBuffer === "undefined") {
    throw new BloomlineError(
      "ERR_NOT_ISOLATED",
      "{ shared: true } needs SharedArrayBuffer, which browsers give to cross-origin isolated pages only. Serve the page with the headers " +
        "Cross-Origin-Opener-Policy: same-origin and Cross-Origin-Embedder-Policy: require-corp (or credentialless), or leave out " +
        "{ shared: true } and send each worker its own copy with toBytes() and fromBytes().",
    );
  }
  const pages = pagesFor(SHARED_FILTER_AT + bytes);
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true });
  new Uint8Array(memory.buffer).set(head, SHARED_FILTER_AT);
  return new SharedRegion({ bloomline: 1, memory, module }, false, kernelOver(module, memory), stage, bytes);
}

/** The filter behind a handle from another thread. Its head is still to be read and checked. */
export function attachShared(
  handle: FilterHandle,
  readonly: boolean,
  kernelOver: KernelOver,
  stage: Instance,
): SharedRegion {
  const bad = (what: string, cause?: unknown) =>
    new BloomlineError(
      "ERR_HANDLE",
      `${what}. Give attach() what share() returned, unchanged, from the same version of bloomline.`,
      { cause },
    );
  if (typeof handle !== "object" || handle === null) throw bad(`handle is ${show(handle)}`);
  if (handle.bloomline !== 1)
    throw bad(`The handle is of version ${show(handle.bloomline)}; this bloomline knows version 1`);
  const { memory, module } = handle;
  if (!(module instanceof WebAssembly.Module)) throw bad(`The handle's module is ${show(module)}`);
  if (!(memory instanceof WebAssembly.Memory)) throw bad(`The handle's memory is ${show(memory)}`);
  const buffer = memory.buffer as ArrayBufferLike;
  if (typeof SharedArrayBuffer === "undefined" || !(buffer instanceof SharedArrayBuffer)) {
    throw bad("The handle's memory is not shared");
  }
  const room = buffer.byteLength - SHARED_FILTER_AT;
  const bytes = room < HEAD ? HEAD : HEAD + new DataView(buffer, SHARED_FILTER_AT).getUint32(8, true) * LINE;
  if (room < bytes) throw bad(`The handle's memory has ${buffer.byteLength} bytes, too few for the filter in it`);
  let kernel: Kernel;
  try {
    kernel = kernelOver(module, memory);
  } catch (cause) {
    throw bad("The handle's module does not run on its memory", cause);
  }
  if (typeof kernel.hasHashes !== "function") throw bad("The handle's module is not bloomline's kernel");
  return new SharedRegion(handle, readonly, kernel, stage, bytes);
}
