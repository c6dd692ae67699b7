import { describe, expect, it } from "vitest";
import { canonicalize, expressions, hashPrefix } from "../../src/safe-browsing/index.js";
import suffixes from "../../src/safe-browsing/suffixes.js";
import canonical from "../vectors/safe-browsing-canonicalization.json" with { type: "json" };
import expanded from "../vectors/safe-browsing-expressions.json" with { type: "json" };

describe("canonical forms", () => {
  const cases = [...canonical.published, ...canonical.ipv6, ...canonical.idn];
  it.each(cases)("$input", ({ input, expected }) => {
    expect(canonicalize(input)).toBe(expected);
  });

  it.each(canonical.ipv4_hosts)("the host $host", ({ host, expected }) => {
    // What is no address stays as a name.
    expect(canonicalize(`http://${host}/`)).toBe(`http://${expected || host}/`);
  });

  it.each(canonical.no_valid_host_must_be_rejected)("no valid host: %j", (input) => {
    expect(() => canonicalize(input)).toThrow(expect.objectContaining({ name: "BloomlineError", code: "ERR_URL" }));
  });

  it.each(canonical.host_path_query)("host, path and query of $input", ({ input, host, path, query }) => {
    if (host === "") {
      expect(() => canonicalize(input)).toThrow(expect.objectContaining({ code: "ERR_URL" }));
      return;
    }
    const [, ...parts] = /^\w+:\/\/([^/]*)([^?]*)\??(.*)$/.exec(canonicalize(input))!;
    expect(parts).toEqual([host, path, query]);
  });
});

describe("expressions", () => {
  const byLabels = expanded.expressions.filter((vector) => vector.note === undefined);
  it.each(byLabels)("version 4: $input", (vector) => {
    expect(expressions(vector.input, { version: 4 }).sort()).toEqual(vector.expressions.toSorted());
  });

  it.each(expanded.expressions)("version 5: $input", (vector) => {
    expect(expressions(vector.input, { version: 5, suffixes }).sort()).toEqual(vector.expressions.toSorted());
  });

  it.each([{ version: 4 }, { version: 5, suffixes }] as const)("at most 30 in version $version", (options) => {
    const { input, count, contains, excludes } = expanded.count_limit;
    const found = expressions(input, options);
    expect(found).toHaveLength(count);
    expect(found).toEqual(expect.arrayContaining(contains));
    for (const excluded of excludes) expect(found).not.toContain(excluded);
  });
});

describe("hash prefixes", () => {
  it.each(expanded.hash_prefix)("$input", async ({ input, sha256, prefix, prefix_bits }) => {
    const text = input === "a x 1000000" ? "a".repeat(1_000_000) : input;
    expect(Buffer.from(await hashPrefix(text, prefix_bits / 8)).toString("hex")).toBe(prefix);
    expect(Buffer.from(await hashPrefix(text, 32)).toString("hex")).toBe(sha256);
  });

  it("have 4 bytes unless told, and 4 to 32", async () => {
    expect(await hashPrefix("abc")).toEqual(Uint8Array.of(0xba, 0x78, 0x16, 0xbf));
    for (const length of [3, 33, 4.5, Number.NaN]) await expect(hashPrefix("abc", length)).rejects.toThrow(RangeError);
  });
});
