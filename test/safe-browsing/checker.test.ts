import { FuseFilter, GolombSet } from "bloomline";
import { buildUrlDelta, buildUrlList, expressions, integrityOf, UrlChecker } from "bloomline/safe-browsing";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { confirmWith } from "../../examples/confirm-server/confirm.js";
import { indexOf, serve } from "../../examples/confirm-server/server.js";
import { badHosts, goodHosts, hexOf, knowing, MemoryStore, originOf, sha256, stop } from "./support.js";

const list = await buildUrlList(badHosts(1000), { version: "1" });

/** A host that the list holds by mistake. */
async function falsePositive(): Promise<string> {
  const checker = await UrlChecker.load(list);
  for (let i = 0; ; i++) if (checker.mayBeUnsafe(`stranger${i}.example`)) return `stranger${i}.example`;
}
const mistaken = await falsePositive();

describe("a check", () => {
  test("of what the filter does not hold is safe at once, and asks nobody", async () => {
    const { confirm, questions } = knowing(badHosts(1000));
    const checker = await UrlChecker.load(list, { confirm });
    expect(checker.mayBeUnsafe("http://good.example/")).toBe(false);
    expect(await checker.check("http://good.example/")).toEqual({ verdict: "safe", source: "filter" });
    expect(questions).toEqual([]);
  });

  test("of what it may hold is settled by the server, which sees 4 bytes of a hash and no more", async () => {
    const { confirm, questions } = knowing(badHosts(1000));
    const checker = await UrlChecker.load(list, { confirm });
    expect(await checker.check("https://user@www.bad5.example:8080/x/y?z#f")).toEqual({
      verdict: "unsafe",
      matched: "bad5.example/",
      source: "server",
    });
    expect(questions).toEqual([[hexOf(sha256("bad5.example/").subarray(0, 4))]]);
    expect(await checker.check(mistaken)).toEqual({ verdict: "safe", source: "server" });
  });

  test("without a server is unknown, not safe", async () => {
    const checker = await UrlChecker.load(list);
    expect(await checker.check("bad5.example")).toEqual({
      verdict: "unknown",
      matched: "bad5.example/",
      source: "filter",
    });
  });

  test("of a URL without a host is an error with a reason", async () => {
    const checker = await UrlChecker.load(list);
    expect(() => checker.mayBeUnsafe("http:///")).toThrow(expect.objectContaining({ code: "ERR_URL" }));
    await expect(checker.check("about:blank")).rejects.toMatchObject({ code: "ERR_URL" });
  });

  test("of a URL too long to be staged works too", async () => {
    const checker = await UrlChecker.load(list);
    const long = "x".repeat(200_000);
    expect(checker.mayBeUnsafe(`http://bad5.example/${long}`)).toBe(true);
    expect(checker.mayBeUnsafe(`http://good.example/${long}`)).toBe(false);
  });

  test("agrees with an exact set of expressions, whatever the lists and URLs", async () => {
    const label = fc.constantFrom("a", "b", "c");
    const url = fc
      .tuple(fc.array(label, { minLength: 2, maxLength: 6 }), fc.array(label, { maxLength: 6 }), fc.option(label))
      .map(([host, path, query]) => `http://${host.join(".")}/${path.join("/")}${query === null ? "" : `?${query}`}`);
    await fc.assert(
      fc.asyncProperty(
        fc.array(url, { maxLength: 12 }),
        fc.array(url, { maxLength: 6 }),
        fc.array(fc.nat(11), { maxLength: 4 }),
        fc.array(url, { minLength: 1, maxLength: 12 }),
        fc.constantFrom(undefined, FuseFilter, GolombSet),
        async (entries, added, removedAt, urls, filter) => {
          const store = new MemoryStore();
          const kind = filter ? { filter } : {};
          const bytes = await buildUrlList(entries, kind);
          const removed = removedAt.flatMap((at) => entries[at] ?? []);
          const delta = (await buildUrlDelta(bytes, { added, removed, ...kind }))!;
          await store.put("http://test.invalid/list", new Response(bytes));
          await store.put("http://test.invalid/delta", new Response(delta));
          const gone = new Set(removed.map((entry) => expressions(entry)[0]));
          const left = [...entries.filter((entry) => !gone.has(expressions(entry)[0])), ...added];
          const { confirm, listed } = knowing(left);
          const checker = await UrlChecker.load("http://test.invalid/list", {
            delta: "http://test.invalid/delta",
            store,
            confirm,
            filters: [FuseFilter, GolombSet],
          });
          for (const one of urls) {
            const isListed = expressions(one).some((expression) => listed.has(expression));
            expect([one, (await checker.check(one)).verdict]).toEqual([one, isListed ? "unsafe" : "safe"]);
            if (isListed) expect(checker.mayBeUnsafe(one)).toBe(true);
          }
        },
      ),
      { numRuns: 100, seed: 8 },
    );
  });
});

describe("the server's answers", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["Date"], now: 1_000_000 });
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });
  const after = (seconds: number) => vi.setSystemTime(1_000_000 + seconds * 1000);

  test("hold as long as they say, the good and the bad", async () => {
    const { confirm, questions } = knowing(badHosts(1000), { positiveSeconds: 60, negativeSeconds: 10 });
    const checker = await UrlChecker.load(list, { confirm });
    const sources = async () => [(await checker.check("bad5.example")).source, (await checker.check(mistaken)).source];
    expect(await sources()).toEqual(["server", "server"]);
    after(9);
    expect(await sources()).toEqual(["cache", "cache"]);
    after(11);
    expect(await sources()).toEqual(["cache", "server"]);
    after(61);
    expect(await sources()).toEqual(["server", "server"]);
    expect(questions).toHaveLength(5);
  });

  test("that hold for no time are for this check alone", async () => {
    const { confirm } = knowing(badHosts(1000), { positiveSeconds: 0, negativeSeconds: 0 });
    const checker = await UrlChecker.load(list, { confirm });
    for (let i = 0; i < 2; i++) {
      expect(await checker.check("bad5.example")).toMatchObject({ verdict: "unsafe", source: "server" });
      expect(await checker.check(mistaken)).toEqual({ verdict: "safe", source: "server" });
    }
  });

  test("may be full hashes alone", async () => {
    const checker = await UrlChecker.load(list, { confirm: async () => [sha256("bad5.example/"), sha256("other/")] });
    expect((await checker.check("bad5.example")).verdict).toBe("unsafe");
    after(299);
    expect((await checker.check("bad5.example")).source).toBe("cache");
    after(301);
    expect((await checker.check("bad5.example")).source).toBe("server");
  });

  test("are asked for once by checks at the same time", async () => {
    const { confirm, questions } = knowing(badHosts(1000));
    const checker = await UrlChecker.load(list, { confirm });
    const urls = ["http://bad5.example/a", "http://bad5.example/b", "http://www.bad5.example/", "http://bad6.example/"];
    const verdicts = await Promise.all(urls.map((url) => checker.check(url)));
    expect(verdicts.map(({ verdict }) => verdict)).toEqual(["unsafe", "unsafe", "unsafe", "unsafe"]);
    expect(questions.flat().sort()).toEqual(
      ["bad5.example/", "bad6.example/"].map((expression) => hexOf(sha256(expression).subarray(0, 4))).sort(),
    );
  });

  test("that fail to come make it unknown, and the server is left alone longer each time", async () => {
    vi.spyOn(Math, "random").mockReturnValue(0.5);
    let asked = 0;
    let up = false;
    const { confirm } = knowing(badHosts(1000), { positiveSeconds: 0 });
    const checker = await UrlChecker.load(list, {
      backOff: { firstSeconds: 10, mostSeconds: 40 },
      confirm: (...args) => {
        asked++;
        return up ? confirm(...args) : Promise.reject(new Error("down"));
      },
    });
    const at = async (seconds: number) => {
      after(seconds);
      return [(await checker.check("bad5.example")).verdict, asked];
    };
    expect(await checker.check("bad5.example")).toEqual({
      verdict: "unknown",
      matched: "bad5.example/",
      source: "server",
      error: new Error("down"),
    });
    // 10 s × 1.5, then 20 × 1.5, then 40 at most.
    expect(await at(14)).toEqual(["unknown", 1]);
    expect(await at(16)).toEqual(["unknown", 2]);
    expect(await at(45)).toEqual(["unknown", 2]);
    expect(await at(47)).toEqual(["unknown", 3]);
    expect(await at(86)).toEqual(["unknown", 3]);
    up = true;
    expect(await at(88)).toEqual(["unsafe", 4]);
    // A success ends it: the next failure is a first one.
    up = false;
    expect(await at(89)).toEqual(["unknown", 5]);
    expect(await at(103)).toEqual(["unknown", 5]);
    expect(await at(105)).toEqual(["unknown", 6]);
  });

  test("that fail together count once", async () => {
    vi.spyOn(Math, "random").mockReturnValue(0);
    let asked = 0;
    let fail: (reason: Error) => void;
    const failing = new Promise<never>((_, reject) => {
      fail = reject;
    });
    const checker = await UrlChecker.load(list, {
      backOff: { firstSeconds: 10 },
      confirm: () => {
        if (++asked === 8) fail(new Error("down"));
        return failing;
      },
    });
    await Promise.all(badHosts(8).map((host) => checker.check(host)));
    expect(asked).toBe(8);
    after(11);
    await checker.check("bad5.example");
    expect(asked).toBe(9);
  });

  test.each([
    ["nothing", undefined],
    ["hashes that are too short", [new Uint8Array(31)]],
    ["hashes as text", ["00".repeat(32)]],
    ["a time that is none", { fullHashes: [], negativeSeconds: Number.NaN }],
    ["a time in the past", { fullHashes: [], positiveSeconds: -1 }],
  ])("that are %s are a failure", async (_, answer) => {
    const checker = await UrlChecker.load(list, { confirm: async () => answer as never });
    const { verdict, error } = await checker.check("bad5.example");
    expect([verdict, error instanceof Error]).toEqual(["unknown", true]);
  });

  test("that never come are given up, and confirm is told", async () => {
    let told: AbortSignal | undefined;
    const checker = await UrlChecker.load(list, {
      timeoutSeconds: 0.05,
      confirm: (_, { signal }) => {
        told = signal;
        return new Promise(() => {});
      },
    });
    // The timer does not keep Node alive by itself.
    const alive = setInterval(() => {}, 1000);
    expect((await checker.check("bad5.example")).verdict).toBe("unknown");
    clearInterval(alive);
    expect(told?.aborted).toBe(true);
  });

  test("that have expired do not make a failing server's word safe", async () => {
    let up = true;
    const { confirm } = knowing(badHosts(1000), { negativeSeconds: 10 });
    const checker = await UrlChecker.load(list, {
      confirm: (...args) => (up ? confirm(...args) : Promise.reject(new Error("down"))),
    });
    expect((await checker.check(mistaken)).verdict).toBe("safe");
    up = false;
    after(11);
    expect((await checker.check(mistaken)).verdict).toBe("unknown");
  });
});

describe("from a server", () => {
  const files = new Map<string, { bytes: Uint8Array }>();
  const state = { index: indexOf(badHosts(1000)), files };
  let server: Awaited<ReturnType<typeof serve>>;
  let url: string;
  let delta: string;

  beforeEach(async () => {
    files.clear();
    files.set("/list.urls", { bytes: list });
    server = await serve(state);
    url = `${originOf(server)}/list.urls`;
    delta = `${originOf(server)}/list.delta`;
  });
  afterEach(() => stop(server));

  test("a list comes with progress, and confirms with the example server", async () => {
    const steps: { bytes: number; total: number | undefined }[] = [];
    const confirm = confirmWith(`${originOf(server)}/v1/hashes`);
    const checker = await UrlChecker.load(url, { confirm, onProgress: (step) => steps.push(step) });
    expect(steps.at(-1)).toEqual({ bytes: list.length, total: list.length });
    expect(await checker.stored).toBe(false);
    expect(await checker.check("http://www.bad5.example/")).toMatchObject({ verdict: "unsafe", source: "server" });
    expect(await checker.check(mistaken)).toEqual({ verdict: "safe", source: "server" });
    stop(server);
    expect(await checker.check("http://bad6.example/")).toMatchObject({ verdict: "unknown", source: "server" });
    expect(await checker.check("http://www.bad5.example/")).toMatchObject({ verdict: "unsafe", source: "cache" });
  });

  test("a list with another digest is refused, in bytes as from a server", async () => {
    const integrity = await integrityOf(list);
    expect((await UrlChecker.load(url, { integrity })).info.version).toBe("1");
    expect((await UrlChecker.load(url, { integrity: `sha512-AAAA ${integrity}` })).info.version).toBe("1");
    expect((await UrlChecker.load(list, { integrity: await integrityOf(list, "sha384") })).info.version).toBe("1");
    const tampered = await buildUrlList(badHosts(999), { version: "1" });
    files.set("/list.urls", { bytes: tampered });
    await expect(UrlChecker.load(url, { integrity })).rejects.toMatchObject({ code: "ERR_INTEGRITY" });
    await expect(UrlChecker.load(tampered, { integrity })).rejects.toMatchObject({ code: "ERR_INTEGRITY" });
    for (const wrong of ["", "md5-abc", "sha256", `${integrity}x`, `x${integrity}`]) {
      await expect(UrlChecker.load(list, { integrity: wrong })).rejects.toMatchObject({ code: "ERR_INTEGRITY" });
    }
    await expect(UrlChecker.load(list, { integrity: 5 as never })).rejects.toThrow(TypeError);
  });

  test("what is no list, is cut short or runs on is refused", async () => {
    files.set("/list.urls", { bytes: Buffer.from("<h1>Sorry</h1>".repeat(100)) });
    await expect(UrlChecker.load(url)).rejects.toMatchObject({ code: "ERR_FOREIGN" });
    files.set("/list.urls", { bytes: list.slice(0, -64) });
    await expect(UrlChecker.load(url)).rejects.toMatchObject({ code: "ERR_TRUNCATED" });
    files.set("/list.urls", { bytes: Buffer.concat([list, Buffer.alloc(1 << 20)]) });
    await expect(UrlChecker.load(url)).rejects.toMatchObject({ code: "ERR_CORRUPT" });
    files.clear();
    await expect(UrlChecker.load(url)).rejects.toMatchObject({ code: "ERR_FETCH" });
    stop(server);
    await expect(UrlChecker.load(url)).rejects.toThrow(TypeError);
  });

  test("a load can be stopped, and what stops it does not stop later updates", async () => {
    const abort = new AbortController();
    const loading = UrlChecker.load(url, { signal: abort.signal, onProgress: () => abort.abort(new Error("enough")) });
    await expect(loading).rejects.toThrow("enough");
    const second = new AbortController();
    const checker = await UrlChecker.load(url, { signal: second.signal });
    second.abort();
    files.set("/list.urls", { bytes: await buildUrlList(["later.example"], { version: "2" }) });
    expect(await checker.update()).toBe("full");
  });

  test("an update brings the new list, once", async () => {
    const checker = await UrlChecker.load(url);
    expect(await checker.update()).toBe("unchanged");
    files.set("/list.urls", { bytes: await buildUrlList(["later.example"], { version: "2" }) });
    expect(await Promise.all([checker.update(), checker.update()])).toEqual(["full", "full"]);
    expect([checker.info.version, checker.mayBeUnsafe("later.example"), checker.mayBeUnsafe("bad5.example")]).toEqual([
      "2",
      true,
      false,
    ]);
    expect(await checker.update()).toBe("unchanged");
  });

  test("an update that fails leaves the old list, and the next one works", async () => {
    const checker = await UrlChecker.load(url);
    const damaged = list.slice();
    damaged[damaged.length - 1]! ^= 1;
    files.set("/list.urls", { bytes: damaged });
    await expect(checker.update()).rejects.toMatchObject({ code: "ERR_CORRUPT" });
    await expect(checker.update()).rejects.toMatchObject({ code: "ERR_CORRUPT" });
    expect(checker.mayBeUnsafe("bad5.example")).toBe(true);
    files.set("/list.urls", { bytes: await buildUrlList(["later.example"], { version: "2" }) });
    expect(await checker.update()).toBe("full");
  });

  test("an update must have a digest where the list had", async () => {
    const checker = await UrlChecker.load(url, { integrity: await integrityOf(list) });
    const newer = await buildUrlList(["later.example"], { version: "2" });
    files.set("/list.urls", { bytes: newer });
    await expect(checker.update()).rejects.toThrow(TypeError);
    await expect(checker.update({ integrity: await integrityOf(list) })).rejects.toMatchObject({
      code: "ERR_INTEGRITY",
    });
    expect(await checker.update({ integrity: await integrityOf(newer) })).toBe("full");
    await expect((await UrlChecker.load(list)).update()).rejects.toThrow(TypeError);
  });

  test("a delta adds and removes, is replaced, and is withdrawn", async () => {
    const { confirm } = knowing([]);
    const checker = await UrlChecker.load(url, { delta, confirm });
    expect(await checker.update()).toBe("unchanged");
    const put = async (options: Parameters<typeof buildUrlDelta>[1]) =>
      files.set("/list.delta", { bytes: (await buildUrlDelta(list, options))! });
    await put({ added: ["later.example"], removed: ["bad5.example"], version: "1.1" });
    const seen = () => ["later", "last", "bad5", "bad6"].map((name) => checker.mayBeUnsafe(`${name}.example`));
    expect(await checker.update()).toBe("delta");
    expect(await checker.update()).toBe("unchanged");
    expect(seen()).toEqual([true, false, false, true]);
    expect(await checker.check("bad5.example")).toEqual({ verdict: "safe", source: "allowlist" });
    expect([checker.info.version, checker.info.entries]).toEqual(["1.1", 1001]);
    await put({ added: ["last.example"], version: "1.2" });
    expect(await checker.update()).toBe("delta");
    expect(seen()).toEqual([false, true, true, true]);
    files.delete("/list.delta");
    expect(await checker.update()).toBe("delta");
    expect(seen()).toEqual([false, false, true, true]);
    expect(await checker.update()).toBe("unchanged");
  });

  test("a new list takes the place of list and delta, with its own delta if there is one", async () => {
    const first = (await buildUrlDelta(list, { added: ["later.example"], version: "1.1" }))!;
    files.set("/list.delta", { bytes: first });
    const checker = await UrlChecker.load(url, { delta });
    expect(checker.info.version).toBe("1.1");
    const second = await buildUrlList([...badHosts(900), "later.example"], { version: "2" });
    files.set("/list.delta", { bytes: (await buildUrlDelta(second, { removed: ["bad5.example"], version: "2.1" }))! });
    // The delta is ahead of its list: nothing is lost meanwhile.
    expect(await checker.update()).toBe("unchanged");
    expect([checker.info.version, checker.mayBeUnsafe("later.example")]).toEqual(["1.1", true]);
    files.set("/list.urls", { bytes: second });
    expect(await checker.update()).toBe("full");
    expect(["later", "bad5", "bad6", "bad950"].map((name) => checker.mayBeUnsafe(`${name}.example`))).toEqual([
      true,
      false,
      true,
      false,
    ]);
    expect(checker.info.version).toBe("2.1");
  });

  test("what was excepted in the list may be listed in its delta", async () => {
    const clean = goodHosts(3000);
    const bytes = await buildUrlList(badHosts(1000), { errorRate: 0.3, corpus: clean });
    const first = await UrlChecker.load(bytes);
    const excepted = first.info.except[0]!;
    expect(first.mayBeUnsafe(excepted)).toBe(false);
    files.set("/list.urls", { bytes });
    files.set("/list.delta", { bytes: (await buildUrlDelta(bytes, { added: [excepted] }))! });
    expect((await UrlChecker.load(url, { delta })).mayBeUnsafe(excepted)).toBe(true);
  });

  test("a kept list starts without the server, and is updated by its tag", async () => {
    const store = new MemoryStore();
    files.set("/list.delta", { bytes: (await buildUrlDelta(list, { added: ["later.example"], version: "1.1" }))! });
    const first = await UrlChecker.load(url, { store, delta });
    expect(await first.stored).toBe(true);
    stop(server);
    const second = await UrlChecker.load(url, { store, delta });
    expect(second.info.version).toBe("1.1");
    expect(["later", "bad5", "good5"].map((name) => second.mayBeUnsafe(`${name}.example`))).toEqual([
      true,
      true,
      false,
    ]);
    await expect(second.update()).rejects.toThrow(TypeError);
    expect(second.mayBeUnsafe("later.example")).toBe(true);
    server = await serve(state, { port: Number(new URL(url).port) });
    expect(await second.update()).toBe("unchanged");
  });

  test("a kept list that was damaged, or has another digest, is fetched anew", async () => {
    const store = new MemoryStore();
    await (await UrlChecker.load(url, { store })).stored;
    store.files.get(url)!.bytes[list.length - 1]! ^= 1;
    expect((await UrlChecker.load(url, { store })).mayBeUnsafe("bad5.example")).toBe(true);
    const newer = await buildUrlList(["later.example"], { version: "2" });
    files.set("/list.urls", { bytes: newer });
    expect((await UrlChecker.load(url, { store })).info.version).toBe("1");
    expect((await UrlChecker.load(url, { store, integrity: await integrityOf(newer) })).info.version).toBe("2");
  });

  test("a store that fails is no reason not to check", async () => {
    const failing = new MemoryStore();
    failing.match = () => Promise.reject(new Error("broken"));
    failing.put = () => Promise.reject(new Error("full"));
    const checker = await UrlChecker.load(url, { store: failing });
    expect([checker.mayBeUnsafe("bad5.example"), await checker.stored]).toEqual([true, false]);
    expect(await (await UrlChecker.load(url, { store: false })).stored).toBe(false);
  });

  test("a delta that was kept does not make up for a list that was not", async () => {
    const store = new MemoryStore();
    const { put } = store;
    store.put = (key, response) => (key === url ? Promise.reject(new Error("full")) : put.call(store, key, response));
    const checker = await UrlChecker.load(url, { store, delta });
    files.set("/list.delta", { bytes: (await buildUrlDelta(list, { added: ["later.example"] }))! });
    expect(await checker.update()).toBe("delta");
    expect(await checker.stored).toBe(false);
    expect([...store.files.keys()]).toEqual([delta]);
  });

  test("where a digest is asked for, the delta must have one too", async () => {
    const bytes = (await buildUrlDelta(list, { added: ["later.example"] }))!;
    files.set("/list.delta", { bytes });
    const [ofList, ofDelta] = [await integrityOf(list), await integrityOf(bytes)];
    await expect(UrlChecker.load(url, { delta, integrity: ofList })).rejects.toMatchObject({ code: "ERR_INTEGRITY" });
    const checker = await UrlChecker.load(url, { delta, integrity: `${ofList} ${ofDelta}` });
    expect(checker.mayBeUnsafe("later.example")).toBe(true);
  });
});

test("on the JavaScript engine the answers are the same", async () => {
  const [wasm, js] = [await UrlChecker.load(list), await UrlChecker.load(list, { engine: "js" })];
  expect([wasm.engine, js.engine]).toEqual(["wasm", "js"]);
  const hosts = [...badHosts(1000), ...goodHosts(1000), mistaken];
  expect(hosts.map((host) => js.mayBeUnsafe(host))).toEqual(hosts.map((host) => wasm.mayBeUnsafe(host)));
});

test("with the Public Suffix List, a listed suffix is not looked up for those below it", async () => {
  const { default: suffixes } = await import("../../src/safe-browsing/suffixes.js");
  const bytes = await buildUrlList(["github.io"]);
  const url = "http://alice.github.io/";
  expect((await UrlChecker.load(bytes)).mayBeUnsafe(url)).toBe(true);
  expect((await UrlChecker.load(bytes, { suffixes })).mayBeUnsafe(url)).toBe(false);
});

test("wrong arguments are refused", async () => {
  await expect(UrlChecker.load(5 as never)).rejects.toThrow(TypeError);
  await expect(UrlChecker.load(list, { confirm: "https://confirm.example" as never })).rejects.toThrow(TypeError);
  await expect(UrlChecker.load(list, { confirm: async () => [], timeoutSeconds: -1 })).rejects.toThrow(RangeError);
  await expect(UrlChecker.load(list, { engine: "gpu" as never })).rejects.toThrow();
  const checker = await UrlChecker.load(list);
  expect(() => checker.mayBeUnsafe(new URL("http://a.example/") as never)).toThrow(/href/);
  checker.dispose();
  expect(() => checker.mayBeUnsafe("a.example")).toThrow(expect.objectContaining({ code: "ERR_DISPOSED" }));
});
