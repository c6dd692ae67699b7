// buildFilter and addManyParallel: whatever the source and the number of workers, the filter that one thread builds.
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { BloomFilter, CountingBloomFilter, type Key } from "../../dist/index.js";
import { addManyParallel, buildFilter, type KeySource, type ParallelProgress } from "../../dist/node/index.js";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "bloomline-parallel-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function fileOf(content: string | Uint8Array): string {
  const path = join(folder, `${Math.random()}.txt`);
  writeFileSync(path, content);
  return path;
}

const strings = Array.from({ length: 30_000 }, (_, i) => `https://example.com/${i}`);
const packed = {
  bytes: new TextEncoder().encode(strings.join("")),
  offsets: Uint32Array.from([
    0,
    ...strings.map(
      (
        (at) => (text: string) =>
          (at += text.length)
      )(0),
    ),
  ]),
};

/** Built with two workers, and by this thread, from the same keys. */
async function expectAsAlone(source: KeySource, keys: Key[], workers = 2): Promise<void> {
  const options = { capacity: Math.max(1, keys.length), errorRate: 0.005, seed: 3 };
  const alone = BloomFilter.from(keys, options);
  const filter = await buildFilter(source, { ...options, workers });
  expect(Buffer.compare(filter.toBytes(), alone.toBytes())).toBe(0);
  expect(filter.count).toBe(alone.count);
  expect(filter.shared).toBe(true);
}

describe("keys in memory", () => {
  async function* slowly() {
    for (const key of strings) {
      if (key.endsWith("000")) await new Promise(setImmediate);
      yield key;
    }
  }
  const numbers = strings.map((_, i) => i * 1001);
  const long = ["a".repeat(200_000), "b", "é".repeat(100_000), "", "c".repeat(121_000)];
  const sources: Record<string, [source: () => KeySource, keys: Key[]]> = {
    "an array of strings": [() => strings, strings],
    "an array of every kind of key": [
      () => [1, "1", 1n, Uint8Array.of(1), ...strings],
      [1, "1", 1n, Uint8Array.of(1), ...strings],
    ],
    "very long keys": [() => long, long],
    "an empty array": [() => [], []],
    "a Uint32Array": [() => Uint32Array.from(numbers), numbers],
    "a Float64Array": [() => Float64Array.from(numbers), numbers],
    "a BigUint64Array": [() => BigUint64Array.from(numbers, BigInt), numbers],
    "a BigInt64Array": [() => BigInt64Array.from(numbers, (n) => BigInt(-n)), numbers.map((n) => -n)],
    "packed keys": [() => packed, strings],
    "a Set": [() => new Set(strings), strings],
    "a generator": [() => strings.values(), strings],
    "an async iterable": [slowly, strings],
  };

  test.each(Object.entries(sources))("%s", async (_, [source, keys]) => {
    await expectAsAlone(source(), keys);
  });

  test("with one worker, and with more workers than work", async () => {
    await expectAsAlone(strings, strings, 1);
    await expectAsAlone(["one"], ["one"], 5);
  });
});

describe("a file, line by line", () => {
  const bytes = (...parts: number[]) => Uint8Array.from(parts);
  const text = new TextEncoder();
  const lines: Record<string, [content: string | Uint8Array, keys: Key[]]> = {
    LF: ["a\nb\nc\n", ["a", "b", "c"]],
    CRLF: ["a\r\nb\r\nc\r\n", ["a", "b", "c"]],
    "both, and a CR that ends no line": ["a\r\nb\nc\rd\n\re\r", ["a", "b", "c\rd", "\re\r"]],
    "no final newline": ["a\nb", ["a", "b"]],
    "empty lines": ["\n\na\n\n", ["", "a"]],
    "an empty file": ["", []],
    "one newline": ["\n", [""]],
    "bytes that are not UTF-8": [bytes(0xff, 0xfe, 10, 0, 10, 0xc3), [bytes(0xff, 0xfe), bytes(0), bytes(0xc3)]],
    "non-ASCII text": ["żółć\n你好\n😀", ["żółć", "你好", "😀"]],
  };

  test.each(Object.entries(lines))("%s", async (_, [content, keys]) => {
    await expectAsAlone(fileOf(content), keys);
  });

  /** A file is read in stretches of 4 MiB. */
  const STRETCH = 4 << 20;

  test("many stretches, cut anywhere in a line", async () => {
    const keys = Array.from({ length: 300_000 }, (_, i) => `${i} ${"x".repeat(i % 61)}`);
    await expectAsAlone(fileOf(keys.join("\n")), keys, 3);
    await expectAsAlone(fileOf(`${keys.join("\r\n")}\r\n`), keys, 2);
  });

  test.each([-2, -1, 0, 1, 2])("a line end %i bytes from the border of a stretch", async (shift) => {
    for (const end of ["\n", "\r\n"]) {
      const keys = ["x".repeat(STRETCH + shift), "second", "", "fourth"];
      await expectAsAlone(fileOf(keys.join(end)), keys);
    }
  });

  test("a line longer than several stretches", async () => {
    const keys = ["before", "y".repeat(3 * STRETCH + 17), "after"];
    await expectAsAlone(fileOf(keys.join("\n")), keys, 3);
  });

  test("by URL, its capacity the number of lines", async () => {
    const path = fileOf("a\nb\r\nc");
    const filter = await buildFilter(pathToFileURL(path));
    expect(filter.capacity).toBe(3);
    expect(filter.equals(BloomFilter.from(["a", "b", "c"]))).toBe(true);
    expect((await buildFilter(fileOf(""))).capacity).toBe(1);
  });

  test("a key is the bytes of its line, as text or as bytes", async () => {
    const filter = await buildFilter(fileOf("żółć\n"));
    expect(filter.has("żółć")).toBe(true);
    expect(filter.has(text.encode("żółć"))).toBe(true);
  });
});

describe("addManyParallel", () => {
  test("adds to what is there and returns how many keys changed it", async () => {
    const filter = new BloomFilter({ capacity: 60_000, shared: true });
    filter.add("before");
    const local = new BloomFilter({ capacity: 60_000 });
    local.add("before");
    expect(await addManyParallel(filter, strings, { workers: 1 })).toBe(local.addMany(strings));
    expect(await addManyParallel(filter, strings, { workers: 2 })).toBe(0);
    expect(filter.equals(local)).toBe(true);
  });

  test("does not write past a thread that attached for reading", async () => {
    const filter = new BloomFilter({ capacity: 10, shared: true });
    const reader = BloomFilter.attach(filter.share(), { readonly: true });
    await expect(addManyParallel(reader, ["a"])).rejects.toMatchObject({ code: "ERR_READONLY" });
    expect(filter.count).toBe(0);
  });

  test.each([{}, new CountingBloomFilter({ capacity: 10, shared: true })])("needs a BloomFilter", async (other) => {
    const adding = addManyParallel(other as unknown as BloomFilter, ["a"]);
    await expect(adding).rejects.toThrow(/^filter is an object .*must be a BloomFilter/);
  });

  test("needs a shared filter", async () => {
    await expect(addManyParallel(new BloomFilter({ capacity: 10 }), ["a"])).rejects.toMatchObject({
      code: "ERR_NOT_SHARED",
    });
  });
});

describe("progress", () => {
  async function progressOf(source: KeySource): Promise<ParallelProgress[]> {
    const seen: ParallelProgress[] = [];
    await buildFilter(source, { capacity: 300_000, workers: 2, onProgress: (progress) => seen.push(progress) });
    return seen;
  }
  const risesTo = (numbers: number[], end: number) => {
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
    expect(numbers.at(-1)).toBe(end);
  };

  test.each([
    ["an array", () => strings, 30_000],
    ["packed keys", () => packed, 30_000],
    ["a file", () => fileOf("0123456789\n".repeat(900_000)), 900_000],
  ] as const)("of %s rises to 1", async (_, source, keys) => {
    const seen = await progressOf(source());
    expect(seen.length).toBeGreaterThan(2);
    risesTo(
      seen.map((progress) => progress.keys),
      keys,
    );
    risesTo(
      seen.map((progress) => progress.fraction as number),
      1,
    );
  });

  test("of an iterable has keys and no fraction", async () => {
    const seen = await progressOf(strings.values());
    risesTo(
      seen.map((progress) => progress.keys),
      30_000,
    );
    expect(seen.every(({ fraction }) => fraction === undefined)).toBe(true);
  });
});

describe("what goes wrong rejects, and leaves no worker behind", () => {
  /** Keys without end; resolves `closed` when it is let go of. */
  function endless() {
    let close = () => {};
    const closed = new Promise<void>((resolve) => {
      close = resolve;
    });
    async function* keys() {
      try {
        for (let i = 0; ; i++) yield i;
      } finally {
        close();
      }
    }
    return { keys: keys(), closed };
  }
  const reason = new Error("enough");

  test("an abort midway, with its reason; the source is let go of, and what was added stays", async () => {
    const { keys, closed } = endless();
    const control = new AbortController();
    // Hardly a stranger is taken for a member, so that members can be counted.
    const filter = new BloomFilter({ capacity: 200_000, errorRate: 1e-9, shared: true });
    let acknowledged = 0;
    const onProgress = ({ keys }: ParallelProgress) => {
      acknowledged = keys;
      if (keys > 20_000) control.abort(reason);
    };
    await expect(addManyParallel(filter, keys, { workers: 2, signal: control.signal, onProgress })).rejects.toBe(
      reason,
    );
    await closed;
    // Which ones they are depends on how fast each worker is.
    const found = filter.hasMany(Uint32Array.from({ length: 200_000 }, (_, i) => i)).filter((answer) => answer === 1);
    expect(acknowledged).toBeGreaterThan(20_000);
    expect(found.length).toBeGreaterThanOrEqual(acknowledged);
  });

  test("an abort while the source keeps everyone waiting", async () => {
    const control = new AbortController();
    async function* stalled() {
      yield "one";
      control.abort(reason);
      await new Promise(() => {});
    }
    await expect(buildFilter(stalled(), { capacity: 10, signal: control.signal })).rejects.toBe(reason);
  });

  test.each(["a file", "an array"])("an abort before it began, of %s", async (what) => {
    const source = what === "a file" ? fileOf("a\nb\n") : ["a", "b"];
    await expect(buildFilter(source, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });

  test("a source that fails", async () => {
    async function* failing() {
      for (let i = 0; i < 20_000; i++) yield i;
      throw reason;
    }
    await expect(buildFilter(failing(), { capacity: 100 })).rejects.toBe(reason);
  });

  test("an onProgress that fails", async () => {
    const onProgress = () => {
      throw reason;
    };
    await expect(buildFilter(strings, { onProgress })).rejects.toBe(reason);
  });

  test("a bad key: in an array before anything is added, with its place", async () => {
    const filter = new BloomFilter({ capacity: 100_000, shared: true });
    const bad = [...strings, 1.5];
    await expect(addManyParallel(filter, bad)).rejects.toThrow(/keys\[30000\] is 1.5/);
    await expect(addManyParallel(filter, Float64Array.of(1, Number.NaN))).rejects.toThrow(/keys\[1\] is NaN/);
    expect(filter.count).toBe(0);
    await expect(addManyParallel(filter, bad.values())).rejects.toThrow(/keys\[30000\] is 1.5/);
  });

  test.each([0, -1, 1.5, 257, "2", Number.NaN])("%j workers", async (workers) => {
    await expect(buildFilter(["a"], { workers: workers as number })).rejects.toThrow(
      /workers is .*whole number from 1 to 256/,
    );
  });

  test("no capacity for keys that cannot be counted", async () => {
    await expect(buildFilter(strings.values())).rejects.toThrow(/capacity is undefined.*Give one/);
  });

  test("a file that is missing, or is none", async () => {
    await expect(buildFilter(join(folder, "missing"))).rejects.toMatchObject({ code: "ENOENT" });
    await expect(buildFilter(join(folder, "missing"), { capacity: 10 })).rejects.toMatchObject({ code: "ENOENT" });
    for (const options of [{}, { capacity: 10 }]) {
      await expect(buildFilter(folder, options)).rejects.toThrow(/is not a regular file.*async iterable/);
    }
  });

  test.each([42, null, {}])("%j, which is no source", async (source) => {
    await expect(buildFilter(source as never, { capacity: 10 })).rejects.toThrow(TypeError);
  });

  test("a process can end after an abort", async () => {
    const script = `
      import { buildFilter } from ${JSON.stringify(new URL("../../dist/node/index.js", import.meta.url).href)};
      async function* endless() { for (let i = 0; ; i++) yield i; }
      const control = new AbortController();
      const options = { capacity: 1e6, workers: 2, signal: control.signal, onProgress: () => control.abort("enough") };
      await buildFilter(endless(), options).catch((reason) => console.log(reason));`;
    const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", script]);
    expect(stdout).toBe("enough\n");
  });
});
