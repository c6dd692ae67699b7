// Guava itself, in both directions, on random filters. Debian has it as libguava-java.

import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { createInterface } from "node:readline";
import { type Funnel, funnels, GuavaBloomFilter, type GuavaStrategy } from "bloomline/interop";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root } from "../support/child.js";
import { find } from "../support/programs.mjs";
import { numbers } from "../support/random.js";

const guava = "/usr/share/java/guava.jar";
const javac = find(["javac"]);
const java = find(["java"]);

type Name = keyof typeof funnels;
const names = Object.keys(funnels) as Name[];

/** Value i, as test/interop/java/GuavaFilters.java makes it. */
function value(name: Name, i: number): never {
  const make = {
    integer: () => Math.imul(i, 0x9e3779b1),
    long: () => BigInt.asIntN(64, BigInt(i) * 0x9e3779b97f4a7c15n),
    bytes: () => {
      const bytes = new Uint8Array(4 + (i % 40));
      new DataView(bytes.buffer).setInt32(0, i);
      return bytes;
    },
    string: () => `ключ ${i}${i % 5 === 0 ? "\ud800" : "🌸"}${"x".repeat(i % 31)}`,
    unencodedChars: () => make.string(),
  };
  return make[name]() as never;
}

describe.skipIf(!javac || !java || !existsSync(guava))("with Guava in a JVM", () => {
  let folder: string;
  let ask: (line: string) => Promise<string>;
  let end: () => void;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "bloomline-guava-"));
    const classpath = [guava, folder].join(delimiter);
    execFileSync(javac!, ["-nowarn", "-cp", guava, "-d", folder, join(root, "test/interop/java/GuavaFilters.java")], {
      stdio: "pipe",
    });
    const process = spawn(java!, ["-cp", classpath, "com.google.common.hash.GuavaFilters"], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    const lines = createInterface(process.stdout)[Symbol.asyncIterator]();
    ask = async (line) => {
      process.stdin.write(`${line}\n`);
      const { value, done } = await lines.next();
      if (done) throw new Error(`Java ended at: ${line.slice(0, 100)}`);
      return value;
    };
    end = () => process.stdin.end();
  });

  afterAll(() => {
    end?.();
    rmSync(folder, { recursive: true, force: true });
  });

  /** What Java said, beside what we say. */
  function compare(
    said: string,
    filter: GuavaBloomFilter<never>,
    name: Name,
    from: number,
    put: number,
    asked: number,
  ) {
    const [bytes, changed, answers, count, fpp] = said.split(" ") as [string, string, string, string, string];
    let ours = "c";
    for (let i = from; i < put; i++) ours += Number(filter.put(value(name, i)));
    expect(ours).toBe(changed);
    expect(Buffer.from(filter.toBytes()).toString("base64")).toBe(bytes);
    expect(`a${filter.hasMany(Array.from({ length: asked }, (_, i) => value(name, i))).join("")}`).toBe(answers);
    expect(filter.approximateElementCount()).toBe(Number(count));
    // Java's pow and JavaScript's may differ in the last place.
    expect(Math.abs(filter.expectedFpp() / Number(fpp) - 1)).toBeLessThan(1e-14);
  }

  const next = numbers(20_260);
  const cases = Array.from({ length: 60 }, (_, i) => ({
    name: names[i % names.length]!,
    strategy: (i % 3 === 0 ? "MURMUR128_MITZ_32" : "MURMUR128_MITZ_64") as GuavaStrategy,
    n: 1 + (next() % (i % 4 === 0 ? 20 : 5000)),
    fpp: [0.5, 0.1, 0.03, 0.01, 1e-3, 1e-6, 0.3 / (1 + (next() % 1000))][next() % 7]!,
  }));

  it.each(cases)("agrees on $name, n $n, fpp $fpp, $strategy", async ({ name, strategy, n, fpp }) => {
    const funnel = funnels[name] as Funnel<never>;
    const half = n >> 1;
    const asked = Math.min(3 * n + 500, 6000);
    const theirs = await ask(`create ${name} 0 ${half} ${asked} ${n} ${fpp} ${strategy}`);
    const ours = GuavaBloomFilter.create(funnel, n, fpp, { strategy });
    compare(theirs, ours, name, 0, half, asked);

    // Their bytes here, and our bytes there; both go on.
    const read = GuavaBloomFilter.fromBytes(Buffer.from(theirs.split(" ")[0]!, "base64"), funnel);
    const again = await ask(`read ${name} ${half} ${n} ${asked} ${Buffer.from(ours.toBytes()).toString("base64")}`);
    compare(again, read, name, half, n, asked);
  });

  it("agrees on a filter of a million keys", async () => {
    const ours = GuavaBloomFilter.create(funnels.long, 1_000_000, 0.01);
    const said = await ask("create long 0 200000 300000 1000000 0.01 MURMUR128_MITZ_64");
    compare(said, ours as GuavaBloomFilter<never>, "long", 0, 200_000, 300_000);
  });
});
