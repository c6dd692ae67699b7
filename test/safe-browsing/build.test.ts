import { createHash } from "node:crypto";
import { BloomFilter, BloomlineError, FuseFilter, GolombSet } from "bloomline";
import { buildUrlDelta, buildUrlList, expressions, UrlChecker } from "bloomline/safe-browsing";
import { describe, expect, test } from "vitest";
import { badHosts, goodHosts } from "./support.js";

const filters = [FuseFilter, GolombSet];
const open = (bytes: Uint8Array<ArrayBuffer>) => UrlChecker.load(bytes, { filters });

describe.each([
  { name: "BloomFilter", filter: BloomFilter },
  { name: "FuseFilter", filter: FuseFilter },
  { name: "GolombSet", filter: GolombSet },
])("a list with a $name", ({ filter }) => {
  test("finds what is on a listed host, in a listed directory, and a listed page", async () => {
    const checker = await open(
      await buildUrlList(["host.example", "https://dir.example:8443/a/b/", "http://page.example/x?y=1#z"], { filter }),
    );
    for (const url of [
      "http://host.example/",
      "https://user:word@www.HOST.example/any/thing?at=all#x",
      "http://dir.example/a/b/c/d.html",
      "http://a.dir.example/a/./b/?q",
      "http://page.example/x?y=1",
    ]) {
      expect([url, checker.mayBeUnsafe(url)]).toEqual([url, true]);
    }
    for (const url of [
      "http://other.example/",
      "http://dir.example/a/c/",
      "http://page.example/x",
      "host.example.org",
    ]) {
      expect([url, checker.mayBeUnsafe(url)]).toEqual([url, false]);
    }
  });

  test("finds every entry, and errs within the rate per URL with as many expressions as there can be", async () => {
    const hosts = badHosts(20_000);
    const errorRate = 0.02;
    const checker = await open(await buildUrlList(hosts, { filter, errorRate, seed: 7n }));
    expect(hosts.filter((host) => !checker.mayBeUnsafe(`https://www.${host}/path`))).toEqual([]);
    const urls = Array.from({ length: 5000 }, (_, i) => `http://a.b.c.d.e${i}.example/1/2/3/4/5.html?${i}`);
    expect(expressions(urls[0]!)).toHaveLength(30);
    const found = urls.filter((url) => checker.mayBeUnsafe(url)).length;
    // Directories of one host are shared by no two URLs here, so all are independent: four sigma.
    expect(found / urls.length).toBeLessThan(errorRate + 4 * Math.sqrt((errorRate * (1 - errorRate)) / urls.length));
    // A fingerprint of a FuseFilter may be finer than asked for; the others err about as often as they may.
    if (filter !== FuseFilter) expect(found / urls.length).toBeGreaterThan(errorRate / 2);
  });

  test("is clean on its corpus, and still finds what is listed", async () => {
    const hosts = badHosts(3000);
    const corpus = [...goodHosts(20_000).map((host) => `http://${host}/`), "http://bad7.example/page"];
    const options = { filter, errorRate: 0.3 };
    const without = await open(await buildUrlList(hosts, options));
    const clean = corpus.slice(0, -1);
    const wrong = clean.filter((url) => without.mayBeUnsafe(url));
    expect(wrong.length).toBeGreaterThan(0);
    const checker = await open(await buildUrlList(hosts, { ...options, corpus }));
    expect(clean.filter((url) => checker.mayBeUnsafe(url))).toEqual([]);
    expect(await checker.check(wrong[0]!)).toEqual({ verdict: "safe", source: "allowlist" });
    expect(checker.info.except).toHaveLength(wrong.length);
    expect(hosts.filter((host) => !checker.mayBeUnsafe(host))).toEqual([]);
  });

  test("errs elsewhere with another seed", async () => {
    const urls = goodHosts(20_000);
    const wrongWith = async (seed: bigint) => {
      const checker = await open(await buildUrlList(badHosts(500), { filter, errorRate: 0.2, seed }));
      return new Set(urls.filter((url) => checker.mayBeUnsafe(url)));
    };
    const [one, other] = [await wrongWith(1n), await wrongWith(2n)];
    expect(one.size).toBeGreaterThan(20);
    // Independent rates of 0.75 % have 0.0056 % in common: one URL of 20,000.
    expect([...one].filter((url) => other.has(url)).length).toBeLessThan(one.size / 4);
  });

  test("may be empty", async () => {
    const checker = await open(await buildUrlList([], { filter }));
    expect(checker.info.entries).toBe(0);
    expect(goodHosts(1000).filter((host) => checker.mayBeUnsafe(host))).toEqual([]);
  });
});

test("says of itself what it was told", async () => {
  const created = new Date("2026-05-04T03:02:01.000Z");
  const list = await buildUrlList(["a.example"], { version: "7", created, source: "ours", errorRate: 0.01 });
  const { info } = await open(list);
  expect(info).toEqual({
    version: "7",
    created: created.toISOString(),
    source: "ours",
    entries: 1,
    errorRate: 0.01,
    except: [],
  });
  expect((await open(await buildUrlList([], { created }))).info.version).toBe(created.toISOString());
});

test("is the same, byte for byte, for ever", async () => {
  const list = await buildUrlList(["a.example", "b.example/c"], { created: new Date(0), source: "é", seed: 5 });
  expect(createHash("sha256").update(list).digest("hex")).toBe(
    "7fda95adf497fd307731f7fd43b29a19e1a4b1ac604873d5a10adea62dcef3f8",
  );
});

test("takes entries as they come, tells how far it is, and can be stopped", async () => {
  async function* arriving() {
    for (const host of badHosts(3000)) {
      if (host.endsWith("00.example")) await new Promise((resolve) => setImmediate(resolve));
      yield host;
    }
  }
  const steps: string[] = [];
  const corpus = goodHosts(1500);
  const list = await buildUrlList(arriving(), {
    corpus,
    onProgress: ({ step, done }) => steps.push(`${step} ${done}`),
  });
  expect(steps).toEqual(["entries 1024", "entries 2048", "entries 3000", "corpus 1024", "corpus 1500"]);
  expect(list).toEqual(
    await buildUrlList(badHosts(3000), { corpus, created: new Date((await open(list)).info.created) }),
  );

  const abort = new AbortController();
  const stopped = buildUrlList(arriving(), {
    signal: abort.signal,
    onProgress: () => abort.abort(new Error("enough")),
  });
  await expect(stopped).rejects.toThrow("enough");
});

test("an entry without a host is an error, or told of and left out", async () => {
  const entries = ["a.example", "http:///", "b.example"];
  await expect(buildUrlList(entries)).rejects.toMatchObject({ code: "ERR_URL" });
  const invalid: unknown[] = [];
  const list = await buildUrlList(entries, { onInvalid: (entry, error) => invalid.push(entry, error.code) });
  expect(invalid).toEqual(["http:///", "ERR_URL"]);
  expect((await open(list)).info.entries).toBe(2);
});

test("bytes are entries too", async () => {
  const entry = Uint8Array.from(Buffer.from("http://a.example/\xff", "latin1"));
  const checker = await open(await buildUrlList([entry]));
  expect([checker.mayBeUnsafe(entry), checker.mayBeUnsafe("http://a.example/ÿ")]).toEqual([true, false]);
});

test.each([
  [{ errorRate: 0 }, RangeError],
  [{ errorRate: 1 }, RangeError],
  [{ expressionsPerUrl: 0 }, RangeError],
  [{ expressionsPerUrl: 31 }, RangeError],
])("%o is refused", async (options, type) => {
  await expect(buildUrlList(["a.example"], options)).rejects.toThrow(type);
});

test("a GolombSet is smaller than a FuseFilter, and that than a BloomFilter, at 1e-4 per lookup", async () => {
  const sizeWith = async (filter: typeof BloomFilter | typeof FuseFilter | typeof GolombSet) =>
    (await buildUrlList(badHosts(100_000), { filter, errorRate: 0.003 })).length;
  const [bloom, fuse, golomb] = [await sizeWith(BloomFilter), await sizeWith(FuseFilter), await sizeWith(GolombSet)];
  expect(golomb).toBeLessThan(fuse);
  expect(fuse).toBeLessThan(bloom);
});

describe("a delta", () => {
  test("has the list's seed, source and a tenth of its rate, and names it", async () => {
    const list = await buildUrlList(badHosts(1000), { seed: 9n, source: "ours", errorRate: 0.01 });
    const delta = (await buildUrlDelta(list, { added: ["new.example"], version: "8" }))!;
    const { info } = await open(delta);
    expect(info).toMatchObject({ version: "8", source: "ours", entries: 1, errorRate: 0.001 });
    expect(info.base).toMatch(/^[\da-f]{32}$/);
    await expect(buildUrlDelta(delta, { added: ["x.example"] })).rejects.toThrow(TypeError);
  });

  test("what is added and removed is added", async () => {
    const list = await buildUrlList(["a.example"]);
    const delta = (await buildUrlDelta(list, { added: ["a.example"], removed: ["a.example", "b.example"] }))!;
    expect((await open(delta)).info.except).toEqual(["b.example/"]);
  });

  test("is not made where a new list is due", async () => {
    const list = await buildUrlList(badHosts(10_000));
    expect(await buildUrlDelta(list, { added: goodHosts(100) })).toBeInstanceOf(Uint8Array);
    expect(await buildUrlDelta(list, { added: goodHosts(5000) })).toBeUndefined();
  });
});

test("a damaged list is refused, whichever bit of it changed", async () => {
  const list = await buildUrlList(["a.example", "b.example"], { source: "ours" });
  for (let i = 0; i < list.length; i++) {
    const damaged = list.slice();
    damaged[i]! ^= 1 << (i % 8);
    const error = await open(damaged).then(
      () => `byte ${i} went unseen`,
      (reason) => reason,
    );
    expect(error).toBeInstanceOf(BloomlineError);
    expect(["ERR_CORRUPT", "ERR_FOREIGN", "ERR_VERSION", "ERR_KIND", "ERR_TRUNCATED"]).toContain(error.code);
  }
});

test("a list that is too short or too long is refused", async () => {
  const list = await buildUrlList(["a.example"]);
  for (const length of [0, 3, 63, 64, list.length - 1]) {
    await expect(open(list.slice(0, length))).rejects.toMatchObject({ code: "ERR_TRUNCATED" });
  }
  await expect(open(new Uint8Array([...list, 0]))).rejects.toMatchObject({ code: "ERR_CORRUPT" });
  await expect(open(new TextEncoder().encode("<!doctype html>".repeat(20)))).rejects.toMatchObject({
    code: "ERR_FOREIGN",
  });
  await expect(open(new BloomFilter({ capacity: 1 }).toBytes())).rejects.toMatchObject({ code: "ERR_KIND" });
});

test("a filter whose class was not given is named", async () => {
  const list = await buildUrlList(["a.example"], { filter: FuseFilter });
  await expect(UrlChecker.load(list)).rejects.toMatchObject({
    code: "ERR_KIND",
    message: expect.stringContaining("filters"),
  });
});
