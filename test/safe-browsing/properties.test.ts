import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BloomlineError } from "../../src/errors.js";
import { unescapeFully } from "../../src/safe-browsing/bytes.js";
import { isPlainlyCanonical } from "../../src/safe-browsing/canonical.js";
import { canonicalize, expressions } from "../../src/safe-browsing/index.js";
import { normalize } from "../../src/safe-browsing/normalize.js";
import suffixes from "../../src/safe-browsing/suffixes.js";

// Pieces that mean something, so that random URLs reach every rule.
const piece = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(..."/?#@:.%\\[] \t\n", "..", "//", "/./", "/../", "://", "http://") },
  { weight: 4, arbitrary: fc.constantFrom("%25", "%2F", "%3F", "%2e", "%00", "%c3%bc", "%FF", "25", "%2", "41") },
  { weight: 4, arbitrary: fc.constantFrom("0x7f", "010", "256", "1.2.3.4", "[::1]", "[64:ff9b::1]", "::", "ffff") },
  {
    weight: 3,
    arbitrary: fc.constantFrom("ü", "。", "．", "faß", "\u00ad", "１", "עברית", "\ud800", "xn--", "\u0080"),
  },
  { weight: 6, arbitrary: fc.constantFrom("a", "B", "com", "co.uk", "github.io", "-", "_", "example") },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 4 }) },
);
const pieces = fc.array(piece, { maxLength: 14 }).map((list) => list.join(""));
const start = fc.constantFrom("", "http://", "https://", "http://a.", "https://www.example.com/", "ftp://u:p@");
const url = fc.tuple(start, pieces).map(([head, tail]) => head + tail);
const bytes = fc.oneof(
  url.map((text) => new TextEncoder().encode(text)),
  fc.tuple(start, fc.uint8Array({ maxLength: 30 })).map(([head, tail]) => {
    const front = new TextEncoder().encode(head);
    return Uint8Array.of(...front, ...tail);
  }),
);
const anyUrl = fc.oneof(url, bytes);

const label = fc.stringMatching(/^[a-z\d_-]{0,6}$/);
const tail = fc.array(fc.constantFrom("/", "?", ".", "a", "B", "~", "//", "/.", "%", "#", " "), { maxLength: 8 });
/** Canonical already, or nearly. */
const tidyUrl = fc
  .tuple(fc.constantFrom("http://", "https://"), fc.array(label, { minLength: 1, maxLength: 7 }), tail)
  .map(([scheme, labels, rest]) => `${scheme}${labels.join(".")}/${rest.join("")}`);

const runs = { numRuns: 5_000 };

/** Undefined if there is no valid host; any other error is a failure. */
function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof BloomlineError && error.code === "ERR_URL") return undefined;
    throw error;
  }
}

/** The rule as it is written: pass after pass, until nothing changes. */
function unescapeByPasses(text: string): string {
  const next = text.replace(/%([\da-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  return next === text ? text : unescapeByPasses(next);
}

describe("canonicalize", () => {
  it("throws nothing but ERR_URL, and gives printable ASCII with host and path", () => {
    let valid = 0;
    fc.assert(
      fc.property(anyUrl, (input) => {
        const canonical = attempt(() => canonicalize(input));
        if (canonical === undefined) return;
        ++valid;
        expect(canonical).toMatch(/^[a-z][a-z\d+.-]*:\/\/[^/?#@\\]+\/[!-~]*$/);
        expect(canonical).not.toMatch(/#|%(?![\dA-F]{2})/);
        const path = canonical.slice(canonical.indexOf("/", canonical.indexOf("://") + 3)).split("?")[0];
        expect(path).not.toMatch(/\/\/|\/\.{1,2}(?:\/|$)/);
      }),
      runs,
    );
    expect(valid).toBeGreaterThan(runs.numRuns / 4);
  });

  it("is idempotent", () => {
    fc.assert(
      fc.property(anyUrl, (input) => {
        const canonical = attempt(() => canonicalize(input));
        if (canonical !== undefined) expect(canonicalize(canonical)).toBe(canonical);
      }),
      runs,
    );
  });

  it("takes a string for its UTF-8", () => {
    fc.assert(
      fc.property(url, (input) => {
        const encoded = new TextEncoder().encode(input);
        expect(attempt(() => canonicalize(encoded))).toBe(attempt(() => canonicalize(input)));
      }),
      runs,
    );
  });

  it("leaves alone only what the full rules leave alone", () => {
    let plain = 0;
    fc.assert(
      fc.property(fc.oneof(tidyUrl, url), (input) => {
        if (!isPlainlyCanonical(input)) return;
        ++plain;
        expect(normalize(input)).toBe(input);
      }),
      runs,
    );
    expect(plain).toBeGreaterThan(runs.numRuns / 20);
  });

  it("unescapes in one pass what the rule unescapes in many", () => {
    const escapes = fc.array(fc.constantFrom("%", "2", "5", "4", "1", "f", "F", "g", "%25", "/"), { maxLength: 40 });
    fc.assert(
      fc.property(escapes, (list) => {
        expect(unescapeFully(list.join(""))).toBe(unescapeByPasses(list.join("")));
      }),
      runs,
    );
  });
});

describe("expressions", () => {
  it.each([{ version: 4 }, { version: 5, suffixes }] as const)(
    "of version $version are 1 to 30, unique, of the URL's host and path",
    (options) => {
      fc.assert(
        fc.property(fc.oneof(anyUrl, tidyUrl), (input) => {
          const found = attempt(() => expressions(input, options));
          if (found === undefined) {
            expect(attempt(() => canonicalize(input))).toBeUndefined();
            return;
          }
          const exact = canonicalize(input).split("://").slice(1).join("://");
          expect(found[0]).toBe(exact);
          expect(found.length).toBeLessThanOrEqual(30);
          expect(new Set(found).size).toBe(found.length);
          const [host, path] = [exact.slice(0, exact.indexOf("/")), exact.slice(exact.indexOf("/"))];
          for (const expression of found) {
            const slash = expression.indexOf("/");
            expect(`.${host}`.endsWith(`.${expression.slice(0, slash)}`)).toBe(true);
            expect(path.startsWith(expression.slice(slash))).toBe(true);
          }
        }),
        runs,
      );
    },
  );

  it("are canonical themselves, so that a list can be made of them", () => {
    fc.assert(
      fc.property(tidyUrl, (input) => {
        for (const expression of attempt(() => expressions(input)) ?? []) {
          // A suffix of a name may look like an address: "1.2" of "a.1.2".
          const lastLabel = expression.split("/")[0]!.split(".").at(-1)!;
          if (!/^\d/.test(lastLabel)) expect(canonicalize(expression)).toBe(`http://${expression}`);
        }
      }),
      runs,
    );
  });
});
