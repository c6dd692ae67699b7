// share() and attach(): how a handle travels, what a read-only thread may do, and which handles are refused.
import { MessageChannel, type Worker } from "node:worker_threads";
import { describe, expect, test } from "vitest";
import { SHARED_FILTER_AT } from "../../dist/engine/layout.js";
import { BloomFilter, BloomlineError, type FilterHandle } from "../../dist/index.js";
import { BloomFilter as JsBloomFilter } from "../../dist/js.js";
import { messageOf, startWorker } from "./threads.js";

const sharedFilter = () => new BloomFilter({ capacity: 1000, shared: true });

function errorOf(action: () => unknown): BloomlineError {
  try {
    action();
  } catch (error) {
    if (error instanceof BloomlineError) return error;
    throw error;
  }
  throw new Error("Nothing was thrown.");
}

describe("a handle travels", () => {
  const ways: Record<string, (handle: FilterHandle) => Promise<Worker> | Worker> = {
    workerData: (handle) => startWorker("attached", { how: "workerData", handle }),
    postMessage: (handle) => {
      const worker = startWorker("attached", { how: "postMessage" });
      worker.postMessage(handle);
      return worker;
    },
    MessageChannel: (handle) => {
      const { port1, port2 } = new MessageChannel();
      port1.postMessage(handle);
      port1.unref();
      const workerData = { how: "MessageChannel", port: port2 };
      return startWorker("attached", workerData, [port2]);
    },
    BroadcastChannel: async (handle) => {
      const name = `bloomline-${process.pid}`;
      const worker = startWorker("attached", { how: "BroadcastChannel", name });
      await messageOf(worker);
      const channel = new BroadcastChannel(name);
      channel.postMessage(handle);
      channel.close();
      return worker;
    },
  };

  test.each(Object.entries(ways))("by %s, and leads to the same bits", async (_, send) => {
    const filter = sharedFilter();
    filter.add("from the parent");
    const worker = await send(filter.share());
    expect(await messageOf(worker)).toBe(true);
    expect(filter.has("from the worker")).toBe(true);
    await worker.terminate();
  });

  test("as a structured clone, with everything the filter was made as", () => {
    const filter = new BloomFilter({ capacity: 12_345, errorRate: 0.003, seed: 2n ** 64n - 5n, shared: true });
    filter.addMany(["a", "b", 3]);
    const attached = BloomFilter.attach(structuredClone(filter.share()));
    for (const name of ["capacity", "errorRate", "seed", "hashes", "lines", "count", "shared", "engine"] as const) {
      expect(attached[name], name).toBe(filter[name]);
    }
    expect(attached.equals(filter)).toBe(true);
    expect(attached.hasMany(["a", "b", 3])).toEqual(Uint8Array.of(1, 1, 1));
  });

  test("on from a thread that attached it", () => {
    const filter = sharedFilter();
    BloomFilter.attach(BloomFilter.attach(filter.share()).share()).add("key");
    expect(filter.has("key")).toBe(true);
  });

  test("to a subclass", () => {
    class Names extends BloomFilter {}
    expect(Names.attach(sharedFilter().share())).toBeInstanceOf(Names);
  });

  test("and outlives the filter it came from", () => {
    const filter = sharedFilter();
    filter.add("key");
    const handle = filter.share();
    filter.dispose();
    expect(errorOf(() => filter.share()).code).toBe("ERR_DISPOSED");
    expect(BloomFilter.attach(handle).has("key")).toBe(true);
  });

  test("not from a local filter, which says what to do instead", () => {
    const error = errorOf(() => new BloomFilter({ capacity: 10 }).share());
    expect(error.code).toBe("ERR_NOT_SHARED");
    expect(error.message).toMatch(/shared: true.*toBytes/);
  });
});

describe("{ readonly: true }", () => {
  const filter = sharedFilter();
  filter.addMany(["a", 1]);
  const reader = BloomFilter.attach(filter.share(), { readonly: true });
  const long = "x".repeat(300_000);
  const writes: Record<string, () => unknown> = {
    "add a string": () => reader.add("new"),
    "add a long string": () => reader.add(long),
    "add a number": () => reader.add(5),
    "add a bigint": () => reader.add(5n),
    "add bytes": () => reader.add(Uint8Array.of(5)),
    "add a hash": () => reader.addHash(reader.hash("new")),
    "add strings": () => reader.addMany(["new"]),
    "add integers": () => reader.addMany(Uint32Array.of(5)),
    "add nothing": () => reader.addMany([]),
    merge: () => reader.merge(filter),
    intersect: () => reader.intersect(filter),
    clear: () => reader.clear(),
  };

  test.each(Object.entries(writes))("refuses to %s, and changes nothing", (_, write) => {
    const before = filter.toBytes();
    const error = errorOf(write);
    expect(error.code).toBe("ERR_READONLY");
    expect(error.message).toMatch(/Attach it without/);
    expect(filter.toBytes()).toEqual(before);
    expect(filter.count).toBe(2);
  });

  test("answers everything", () => {
    expect(reader.has("a")).toBe(true);
    expect(reader.has(1n)).toBe(true);
    expect(reader.has(long)).toBe(false);
    expect(reader.hasMany(["a", "b", 1])).toEqual(Uint8Array.of(1, 0, 1));
    expect(reader.hasHash(reader.hash("a"))).toBe(true);
    expect(reader.count).toBe(2);
    expect(reader.fillRatio).toBe(filter.fillRatio);
    expect(reader.equals(filter)).toBe(true);
    expect(reader.toBytes()).toEqual(filter.toBytes());
  });

  test("sees what others add", () => {
    const writer = sharedFilter();
    const watcher = BloomFilter.attach(writer.share(), { readonly: true });
    writer.add("later");
    expect(watcher.has("later")).toBe(true);
  });

  test("can be cloned, and the clone written", () => {
    const clone = reader.clone();
    clone.add("new");
    expect(clone.has("new")).toBe(true);
    expect(reader.has("new")).toBe(false);
  });

  test.each([1, "yes", null])("must be true or false, not %j", (readonly) => {
    const attach = () => BloomFilter.attach(filter.share(), { readonly: readonly as never });
    expect(attach).toThrow(TypeError);
    expect(attach).toThrow(/readonly is .*true or false/);
  });
});

describe("bad handles", () => {
  const { memory, module, ...rest } = sharedFilter().share();
  const good: FilterHandle = { memory, module, ...rest };
  const empty = new WebAssembly.Module(Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0));
  const attach = (handle: unknown) => () => BloomFilter.attach(handle as FilterHandle);

  /** The same memory in fewer or more pages, its bytes changed by `change`. */
  function remade(pages: number, change: (head: DataView<ArrayBufferLike>) => void = () => {}): FilterHandle {
    const other = new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true });
    const bytes = new Uint8Array(other.buffer);
    bytes.set(new Uint8Array(memory.buffer, 0, Math.min(bytes.length, memory.buffer.byteLength)));
    if (bytes.length > SHARED_FILTER_AT) change(new DataView(other.buffer, SHARED_FILTER_AT, 64));
    return { ...good, memory: other };
  }
  /** A change of the head with a checksum that fits it. */
  const forged = (change: (head: DataView<ArrayBufferLike>) => void) =>
    remade(SHARED_FILTER_AT / 65536 + 1, (head) => {
      change(head);
      let sum = 0x811c9dc5;
      for (let i = 0; i < 60; i++) sum = Math.imul(sum ^ head.getUint8(i), 0x01000193);
      head.setUint32(60, sum >>> 0, true);
    });

  const cases: Record<string, [handle: unknown, code: string, message: RegExp]> = {
    undefined: [undefined, "ERR_HANDLE", /handle is undefined.*what share\(\) returned/],
    "a string": ["handle", "ERR_HANDLE", /handle is "handle"/],
    null: [null, "ERR_HANDLE", /handle is null/],
    "an empty object": [{}, "ERR_HANDLE", /version undefined/],
    "of another version": [{ ...good, bloomline: 2 }, "ERR_HANDLE", /version 2, not 1/],
    "with a module that is none": [{ ...good, module: {} }, "ERR_HANDLE", /module is not the kernel/],
    "with memory of no bytes": [{ ...good, memory: { buffer: {} } }, "ERR_HANDLE", /not shared memory/],
    "with memory that is none": [{ ...good, memory: memory.buffer }, "ERR_HANDLE", /not shared memory/],
    "with memory that is not shared": [
      { ...good, memory: new WebAssembly.Memory({ initial: 20 }) },
      "ERR_HANDLE",
      /not shared/,
    ],
    "with another program as module": [{ ...good, module: empty }, "ERR_HANDLE", /module is not the kernel/],
    "with memory that lacks the filter": [
      remade(2),
      "ERR_HANDLE",
      /memory has 131072 bytes, too few for the filter in it.*what share\(\) returned/,
    ],
    "with memory that ends before the filter does": [
      forged((head) => head.setUint32(8, 1e6, true)),
      "ERR_HANDLE",
      /memory has 1245184 bytes, too few for the filter in it.*what share\(\) returned/,
    ],
    "with memory that is empty": [
      { ...good, memory: new WebAssembly.Memory({ initial: 0, maximum: 0, shared: true }) },
      "ERR_HANDLE",
      /memory has 0 bytes, too few for the filter in it.*what share\(\) returned/,
    ],
    "with memory of something else": [
      remade(19, (head) => head.setUint32(0, 0)),
      "ERR_FOREIGN",
      /not a bloomline filter/,
    ],
    "with a damaged head": [remade(19, (head) => head.setUint8(7, 3)), "ERR_CORRUPT", /checksum/],
    "of another kind": [forged((head) => head.setUint8(5, 99)), "ERR_KIND", /kind 99; BloomFilter is kind 1/],
    "of a later format": [forged((head) => head.setUint8(4, 9)), "ERR_VERSION", /version 9/],
  };

  test.each(Object.entries(cases))("%s", (_, [handle, code, message]) => {
    const error = errorOf(attach(handle));
    expect(error.code).toBe(code);
    expect(error.message).toMatch(message);
  });

  test("the ones above are bad for the reason named: unchanged, the copy is good", () => {
    expect(BloomFilter.attach(remade(19)).capacity).toBe(1000);
    expect(BloomFilter.attach(forged(() => {})).capacity).toBe(1000);
  });

  test("a refused handle leaves the good one as it was", () => {
    const filter = sharedFilter();
    expect(attach({ ...filter.share(), module: empty })).toThrow();
    BloomFilter.attach(filter.share()).addMany(["a", "b"]);
    expect(filter.count).toBe(2);
  });

  test.each(Object.entries({ none: undefined, "another program": empty }))(
    "with %s as the kernel to stage keys on: a thread that has no other makes its own",
    async (_, staging) => {
      const filter = sharedFilter();
      filter.add("from the parent");
      const handle = { ...filter.share(), staging };
      const worker = startWorker("attached", { how: "workerData", handle });
      expect(await messageOf(worker)).toBe(true);
      expect(filter.has("from the worker")).toBe(true);
      await worker.terminate();
    },
  );

  test("without WebAssembly there is no sharing, and the error says so", () => {
    for (const action of [
      () => new BloomFilter({ capacity: 10, engine: "js", shared: true }),
      () => new JsBloomFilter({ capacity: 10, shared: true }),
      () => JsBloomFilter.attach(good as never),
    ]) {
      expect(action).toThrow(expect.objectContaining({ name: "BloomlineError", code: "ERR_NO_WASM" }));
    }
  });
});
