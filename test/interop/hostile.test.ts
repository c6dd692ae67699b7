// Bytes that nobody should have to read: cut, flipped, made up. Each gives a BloomlineError or a filter that keeps to its bounds.

import { BloomlineError } from "bloomline";
import { type Chunk, funnels, GuavaBloomFilter, RedisBloomDump, RedisCuckooDump } from "bloomline/interop";
import { describe, expect, it } from "vitest";
import { inChild } from "../support/child.js";
import { chunksOf, fromBase64, guava, redisHeader } from "../support/interop.js";
import { numbers } from "../support/random.js";

/** The error's code; undefined where there is none. */
function codeOf(open: () => unknown): string | undefined {
  try {
    open();
    return undefined;
  } catch (error) {
    if (!(error instanceof BloomlineError)) throw error;
    return error.code;
  }
}

describe("Guava's bytes", () => {
  const bytes = fromBase64(guava.filters[2]!.writeTo);
  const open = (input: Uint8Array) => () => GuavaBloomFilter.fromBytes(input, funnels.unencodedChars);

  it("are missed wherever they are cut, and noticed where they go on", () => {
    for (let length = 0; length < bytes.length; length++) {
      expect(codeOf(open(bytes.subarray(0, length))), String(length)).toBe("ERR_TRUNCATED");
    }
    expect(codeOf(open(Uint8Array.of(...bytes, 0)))).toBe("ERR_CORRUPT");
  });

  it.each([
    [0, 2, "ERR_FOREIGN"],
    [0, 255, "ERR_FOREIGN"],
    [1, 0, "ERR_CORRUPT"],
    [2, 0x7f, "ERR_TRUNCATED"],
    [2, 0x80, "ERR_CORRUPT"],
    [2, 0xff, "ERR_CORRUPT"],
    [5, 44, "ERR_CORRUPT"],
    [5, 46, "ERR_TRUNCATED"],
    [5, 0, "ERR_CORRUPT"],
  ])("with byte %d = %d are %s", (at, value, code) => {
    expect(codeOf(open(bytes.with(at, value)))).toBe(code);
  });

  it("never crash, whatever is flipped in them", () => {
    const next = numbers(7);
    for (let round = 0; round < 3000; round++) {
      const flipped = bytes.slice(0, next() % 4 === 0 ? next() % bytes.length : undefined);
      for (let flips = next() % 4; flips-- >= 0; ) {
        const at = next() % (next() % 2 ? 6 : flipped.length || 1);
        if (at < flipped.length) flipped[at]! ^= 1 << (next() % 8);
      }
      let filter: GuavaBloomFilter<string> | undefined;
      const code = codeOf(() => {
        filter = open(flipped)();
      });
      if (code !== undefined) continue;
      expect(filter!.toBytes()).toEqual(flipped);
      filter!.put("key");
      expect(filter!.mightContain("key")).toBe(true);
      filter!.dispose();
    }
  });

  it("must be as long as a stream says", async () => {
    const pieces = async function* (all: Uint8Array) {
      for (let at = 0; at < all.length; at += 50) yield all.subarray(at, at + 50);
    };
    const read = (all: Uint8Array, length: number) =>
      GuavaBloomFilter.fromStream(pieces(all), length, funnels.unencodedChars);
    const rejects = (promise: Promise<unknown>, code: string) =>
      expect(promise).rejects.toThrow(expect.objectContaining({ code }));
    await rejects(read(bytes.subarray(0, 4), 4), "ERR_TRUNCATED");
    await rejects(read(bytes.subarray(0, 100), bytes.length), "ERR_TRUNCATED");
    await rejects(read(Uint8Array.of(...bytes, 1), bytes.length), "ERR_CORRUPT");
    await rejects(read(bytes, bytes.length + 1), "ERR_CORRUPT");
    await rejects(read(bytes, 20), "ERR_TRUNCATED");
  });

  it.each([undefined, null, "AQ==", [1, 5, 0]])("are bytes, not %s", (input) => {
    expect(open(input as never)).toThrow(TypeError);
  });
});

describe("RedisBloom's chunks", () => {
  const chunks = chunksOf("scaling-0.01-100");
  const open = (input: Iterable<Chunk>) => () => RedisBloomDump.fromChunks(input);
  const lazily = function* (input: Iterable<Chunk>): Generator<Chunk> {
    yield* input;
  };

  it("are missed wherever they are cut, in an array or as they come", () => {
    const whole = RedisBloomDump.fromChunks(chunks).toBytes();
    for (let length = 0; length < whole.length; length++) {
      expect(
        codeOf(() => RedisBloomDump.fromBytes(whole.subarray(0, length))),
        String(length),
      ).toBe("ERR_TRUNCATED");
    }
    expect(codeOf(() => RedisBloomDump.fromBytes(Uint8Array.of(...whole, 0)))).toBe("ERR_CORRUPT");
    for (let n = 0; n < chunks.length; n++) {
      expect(codeOf(open(chunks.slice(0, n)))).toBe("ERR_TRUNCATED");
      expect(codeOf(open(lazily(chunks.slice(0, n))))).toBe("ERR_TRUNCATED");
    }
    for (let length = 0; length < chunks[0]![1].length; length++) {
      const cut: Chunk[] = [[1, chunks[0]![1].subarray(0, length)], ...chunks.slice(1)];
      expect(codeOf(open(cut))).toBe("ERR_TRUNCATED");
    }
    for (let length = 0; length < 144; length++) {
      const piece = chunks[1]![1].subarray(0, length);
      const cut = (iterator: number): Chunk[] => [chunks[0]!, [iterator, piece], ...chunks.slice(2)];
      expect(codeOf(open(cut(145)))).toBe("ERR_TRUNCATED");
      expect(codeOf(open(lazily(cut(145))))).toBe("ERR_CORRUPT");
      expect(codeOf(open(lazily(cut(length + 1))))).toBe("ERR_CORRUPT");
    }
  });

  it("must come in order, each once, none across two layers", () => {
    const [header, first, second, ...rest] = chunks as unknown as [Chunk, Chunk, Chunk];
    const joined: Chunk = [second[0], Uint8Array.of(...first[1], ...second[1])];
    for (const wrong of [
      [header, second, first, ...rest],
      [header, first, first, second, ...rest],
      [first, header, second, ...rest],
      [header, joined, ...rest],
      [...chunks, [1000, new Uint8Array(1)] as Chunk],
      [...chunks, [0, new Uint8Array(0)] as Chunk, [6049, new Uint8Array(0)] as Chunk],
      chunks.map(([iterator, data]): Chunk => [-iterator, data]),
    ]) {
      expect(codeOf(open(wrong))).toBe("ERR_CORRUPT");
      expect(codeOf(open(lazily(wrong)))).toBe("ERR_CORRUPT");
    }
    // In smaller pieces they may come.
    const pieces: Chunk[] = [header, [101, first[1].subarray(0, 100)], [145, first[1].subarray(100)], second, ...rest];
    expect(RedisBloomDump.fromChunks(pieces).toBytes()).toEqual(RedisBloomDump.fromChunks(chunks).toBytes());
  });

  it.each([
    ["no layers", 8, [0, 0, 0, 0]],
    ["more layers than there are", 8, [6, 0, 0, 0]],
    ["billions of layers", 8, [255, 255, 255, 255]],
    ["an unknown option", 12, [16]],
    ["another number of items", 0, [1]],
    ["no bytes", 20, [0, 0, 0, 0, 0, 0, 0, 0]],
    ["exabytes", 20, [0, 0, 0, 0, 0, 0, 0, 16]],
    ["gigabytes that are not there", 20, [0, 0, 0, 128]],
    ["no bits", 28, [0, 0]],
    ["more bits than bytes", 28, [129, 4]],
    ["an error rate of 0", 44, [0, 0, 0, 0, 0, 0, 0, 0]],
    ["an error rate that is not a number", 44, [0, 0, 0, 0, 0, 0, 248, 127]],
    ["no bits per entry", 52, [0, 0, 0, 0, 0, 0, 0, 0]],
    ["infinite bits per entry", 52, [0, 0, 0, 0, 0, 0, 240, 127]],
    ["no hashes", 60, [0]],
    ["millions of hashes", 60, [0, 0, 0, 1]],
    ["no entries", 64, [0]],
    ["2^11 bits in 2^10.2", 72, [11]],
    ["2^255 bits", 72, [255]],
  ])("with a header of %s are refused", (_, at, values) => {
    const header = chunks[0]![1].slice();
    header.set(values, at);
    expect(codeOf(open([[1, header], ...chunks.slice(1)]))).toMatch(/^ERR_(CORRUPT|TRUNCATED)$/);
    expect(codeOf(open(lazily([[1, header], ...chunks.slice(1)])))).toMatch(/^ERR_(CORRUPT|TRUNCATED|MEMORY)$/);
  });

  it("never crash, whatever is flipped in them", () => {
    const next = numbers(11);
    for (let round = 0; round < 3000; round++) {
      const header = chunks[0]![1].slice();
      for (let flips = next() % 3; flips-- >= 0; ) header[next() % header.length]! ^= 1 << (next() % 8);
      let dump: RedisBloomDump | undefined;
      const code = codeOf(() => {
        dump = RedisBloomDump.fromChunks([[1, header], ...chunks.slice(1)]);
      });
      if (code !== undefined) continue;
      expect([...dump!.chunks()][0]).toEqual([1, header]);
      codeOf(() => dump!.add("key"));
      dump!.dispose();
    }
  });

  it.each([
    [[[1, "text"]], /Have the client return buffers/],
    [[["1", new Uint8Array(20)]], /iterator is "1"/],
    [[[1.5, new Uint8Array(20)]], /iterator is 1.5/],
    [[1, 2], /must be \[iterator, data\]/],
    [[[1]], /must be \[iterator, data\]/],
  ])("are pairs of a number and bytes, not %j", (input, message) => {
    expect(open(input as never)).toThrow(TypeError);
    expect(open(input as never)).toThrow(message);
  });
});

describe("a cuckoo dump's chunks", () => {
  const header = (items: bigint, buckets: bigint, layers: bigint, bucketSize: number, expansion: number) => {
    const bytes = new Uint8Array(38);
    const view = new DataView(bytes.buffer);
    view.setBigUint64(0, items, true);
    view.setBigUint64(8, buckets, true);
    view.setBigUint64(24, layers, true);
    view.setUint16(32, bucketSize, true);
    view.setUint16(36, expansion, true);
    return bytes;
  };
  const data = new Uint8Array(64).fill(7);
  const good: Chunk[] = [
    [1, header(5n, 32n, 1n, 2, 1)],
    [65, data],
  ];

  it("are missed wherever they are cut", () => {
    expect(codeOf(() => RedisCuckooDump.fromChunks(good))).toBeUndefined();
    const whole = RedisCuckooDump.fromChunks(good).toBytes();
    for (let length = 0; length < whole.length; length++) {
      expect(codeOf(() => RedisCuckooDump.fromBytes(whole.subarray(0, length)))).toBe("ERR_TRUNCATED");
    }
    expect(codeOf(() => RedisCuckooDump.fromBytes(Uint8Array.of(...whole, 0)))).toBe("ERR_CORRUPT");
    expect(codeOf(() => RedisCuckooDump.fromChunks([]))).toBe("ERR_TRUNCATED");
  });

  it.each([
    [65n, 32n, 1n, 2, 1],
    [5n, 0n, 1n, 2, 1],
    [5n, 32n, 0n, 2, 1],
    [5n, 32n, 1n, 0, 1],
    [5n, 1n, 1n, 256, 1],
    [5n, 2n ** 33n, 1n, 2, 1],
    [5n, 2n ** 60n, 1n, 2, 1],
    [5n, 32n, 2n ** 40n, 2, 1],
    [5n, 32n, 65_535n, 2, 2],
    [5n, 32n, 2n, 2, 0],
  ])("with a header of %s items, %s buckets, %s layers, %d places, expansion %d are refused", (...fields) => {
    const bad: Chunk[] = [[1, header(...fields)], good[1]!];
    expect(codeOf(() => RedisCuckooDump.fromChunks(bad))).toMatch(/^ERR_(CORRUPT|TRUNCATED)$/);
  });
});

describe("in a process of its own", () => {
  const make = `
    import { funnels, GuavaBloomFilter, RedisBloomDump } from "bloomline/interop";
    const used = async () => {
      // Memory of arrays that were dropped comes back a little after the collection.
      for (let i = 0; i < 3; i++) { gc(); await new Promise((resolve) => setTimeout(resolve, 20)); }
      const { arrayBuffers, external } = process.memoryUsage();
      return Math.max(arrayBuffers, external);
    };
    const peak = () => process.resourceUsage().maxRSS * 1024;
    const MB = 1e6;`;
  const flags = ["--expose-gc"];

  it("announced sizes allocate nothing", async () => {
    const header = Buffer.from(
      redisHeader({}, [{ bytes: 3e9, bits: 24e9, size: 0, error: 0.01, bpe: 9.6, hashes: 7, entries: 2e9, n2: 0 }]),
    ).toString("base64");
    const grown = await inChild(
      `${make}
      const before = await used();
      const peakBefore = peak();
      for (let i = 0; i < 50; i++) {
        try { RedisBloomDump.fromChunks([[1, new Uint8Array(Buffer.from("${header}", "base64"))], [3e9 + 1, new Uint8Array(10)]]); throw 1 } catch (e) { if (!e.code) throw e }
        try { GuavaBloomFilter.fromBytes(Uint8Array.of(1, 7, 0x0f, 0xff, 0xff, 0xff, 0, 0), funnels.long); throw 1 } catch (e) { if (!e.code) throw e }
      }
      report([(await used() - before) / MB, (peak() - peakBefore) / MB]);`,
      { flags },
    );
    for (const megabytes of grown as number[]) expect(megabytes).toBeLessThan(20);
  });

  it("a dump of 100 MB opens without a second copy of it", async () => {
    const grown = (await inChild(
      `${make}
      const bytes = GuavaBloomFilter.create(funnels.long, 83_000_000, 0.01).toBytes();
      const size = bytes.length;
      let before = await used();
      const peakBefore = peak();
      const filter = GuavaBloomFilter.fromBytes(bytes, funnels.long);
      const atPeak = peak() - peakBefore;
      const held = await used() - before;
      async function* pieces() { for (let at = 0; at < size; at += 65536) yield bytes.slice(at, at + 65536); }
      before = await used();
      const streamed = await GuavaBloomFilter.fromStream(pieces(), size, funnels.long);
      const heldByStream = await used() - before;
      const dump = RedisBloomDump.create({ capacity: 83_000_000, errorRate: 0.02 });
      before = await used();
      const again = RedisBloomDump.fromChunks(dump.chunks());
      const heldByDump = await used() - before;
      report({ size, held, atPeak, heldByStream, heldByDump, dump: dump.byteLength, same: again.equals(dump) && streamed.equals(filter) });`,
      { flags },
    )) as Record<string, number>;
    expect(grown.size).toBeGreaterThan(99e6);
    expect(grown.dump).toBeGreaterThan(99e6);
    expect(grown.same).toBe(true);
    // What is opened is held once, in linear memory: no more than its own size and a little.
    expect(grown.held! / grown.size!).toBeLessThan(1.05);
    expect(grown.atPeak! / grown.size!).toBeLessThan(1.2);
    expect(grown.heldByStream! / grown.size!).toBeLessThan(1.05);
    expect(grown.heldByDump! / grown.dump!).toBeLessThan(1.05);
  });
});
