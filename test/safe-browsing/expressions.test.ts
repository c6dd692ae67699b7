import { describe, expect, it } from "vitest";
import { expressions } from "../../src/safe-browsing/index.js";
import suffixes from "../../src/safe-browsing/suffixes.js";

const hosts = (url: string, options = {}) => [...new Set(expressions(url, options).map((e) => e.split("/")[0]))];

describe("hosts of version 4", () => {
  it.each([
    ["a", ["a"]],
    ["a.b", ["a.b"]],
    ["a.b.c", ["a.b.c", "b.c"]],
    ["a.b.c.d.e", ["a.b.c.d.e", "d.e", "c.d.e", "b.c.d.e"]],
    ["a.b.c.d.e.f", ["a.b.c.d.e.f", "e.f", "d.e.f", "c.d.e.f", "b.c.d.e.f"]],
    ["a.b.c.d.e.f.g.h", ["a.b.c.d.e.f.g.h", "g.h", "f.g.h", "e.f.g.h", "d.e.f.g.h"]],
    ["www.example.co.uk", ["www.example.co.uk", "co.uk", "example.co.uk"]],
    // Names that only look like addresses.
    ["1.2.3.4.5", ["1.2.3.4.5", "4.5", "3.4.5", "2.3.4.5"]],
  ])("%s", (host, expected) => {
    expect(hosts(`http://${host}/`)).toEqual(expected);
  });
});

describe("hosts of version 5", () => {
  it.each([
    ["example.co.uk", ["example.co.uk"]],
    ["www.example.co.uk", ["www.example.co.uk", "example.co.uk"]],
    [
      "a.b.c.d.e.example.co.uk",
      ["a.b.c.d.e.example.co.uk", "example.co.uk", "e.example.co.uk", "d.e.example.co.uk", "c.d.e.example.co.uk"],
    ],
    ["com", ["com"]],
    ["localhost", ["localhost"]],
    // The list's wildcard and its exception.
    ["a.b.c.ck", ["a.b.c.ck", "b.c.ck"]],
    ["a.www.ck", ["a.www.ck", "www.ck"]],
    // Its private part counts as well.
    ["github.io", ["github.io"]],
    ["a.alice.github.io", ["a.alice.github.io", "alice.github.io"]],
    // A suffix in Punycode, and one that nobody listed.
    ["a.b.xn--55qx5d.cn", ["a.b.xn--55qx5d.cn", "b.xn--55qx5d.cn"]],
    ["a.b.c.unlisted", ["a.b.c.unlisted", "c.unlisted", "b.c.unlisted"]],
    // No address, and no valid name, but still a host to look up.
    ["%20a.b.example.com", ["%20a.b.example.com", "example.com", "b.example.com"]],
  ])("%s", (host, expected) => {
    expect(hosts(`http://${host}/`, { version: 5, suffixes })).toEqual(expected);
  });

  it("take any list that is a function", () => {
    const asked: string[] = [];
    const own = (host: string) => {
      asked.push(host);
      return "d.e";
    };
    expect(hosts("http://A.b.c.d.e:80/x", { suffixes: own })).toEqual(["a.b.c.d.e", "d.e", "c.d.e", "b.c.d.e"]);
    expect(asked).toEqual(["a.b.c.d.e"]);
    expect(hosts("http://a.b.c/", { suffixes: () => undefined })).toEqual(["a.b.c"]);
    expect(hosts("http://a.b.c/", { suffixes: () => null })).toEqual(["a.b.c"]);
  });

  it("refuse a list that answers nonsense", () => {
    for (const domain of ["x.y", "b", ".b.c", "z.a.b.c"]) {
      expect(() => expressions("http://a.bb.c/", { suffixes: () => domain })).toThrow(/must be a domain of that host/);
    }
  });
});

describe("addresses", () => {
  const never = () => {
    throw new Error("an address has no registrable domain");
  };
  it.each(["1.2.3.4", "[2001:db8::1]"])("%s is tried alone", (host) => {
    expect(expressions(`http://${host}/a/b?c`)).toEqual(["/a/b?c", "/a/b", "/", "/a/"].map((path) => host + path));
    expect(hosts(`http://${host}/a`, { version: 5, suffixes: never })).toEqual([host]);
  });

  it("in any spelling", () => {
    for (const host of ["0x7f.1", "[::ffff:127.0.0.1]", "[64:ff9b::7f00:1]", "2130706433"]) {
      expect(expressions(`http://${host}/`)).toEqual(["127.0.0.1/"]);
    }
  });
});

describe("paths", () => {
  it.each([
    ["", ["/"]],
    ["/", ["/"]],
    ["/?", ["/?", "/"]],
    ["/?a/b", ["/?a/b", "/"]],
    ["/a", ["/a", "/"]],
    ["/a/", ["/a/", "/"]],
    ["/a/?q", ["/a/?q", "/a/", "/"]],
    ["/a?", ["/a?", "/a", "/"]],
    ["/a/b/c/", ["/a/b/c/", "/", "/a/", "/a/b/"]],
    ["/a/b/c/d", ["/a/b/c/d", "/", "/a/", "/a/b/", "/a/b/c/"]],
    ["/a/b/c/d/e/f?q#r", ["/a/b/c/d/e/f?q", "/a/b/c/d/e/f", "/", "/a/", "/a/b/", "/a/b/c/"]],
    ["/%61//b%2Fc?%3f", ["/a/b/c??", "/a/b/c", "/", "/a/", "/a/b/"]],
  ])("%j", (path, expected) => {
    expect(expressions(`https://user@host:443${path}`)).toEqual(expected.map((tail) => `host${tail}`));
  });
});

describe("options", () => {
  it("choose version 4 unless there is a list", () => {
    const url = "http://www.example.co.uk/";
    expect(expressions(url)).toContain("co.uk/");
    expect(expressions(url, { version: 4, suffixes })).toContain("co.uk/");
    expect(expressions(url, { suffixes })).not.toContain("co.uk/");
  });

  it("that are wrong are told", () => {
    expect(() => expressions("http://a/", { version: 5 })).toThrow(TypeError);
    expect(() => expressions("http://a/", { version: 5 })).toThrow(/bloomline\/safe-browsing\/suffixes/);
    expect(() => expressions("http://a/", { version: 3 as never })).toThrow(RangeError);
    expect(() => expressions("http://a/", { suffixes: {} as never })).toThrow(TypeError);
    expect(() => expressions(1 as never)).toThrow(TypeError);
    expect(() => expressions("mailto:a@b.c")).toThrow(expect.objectContaining({ code: "ERR_URL" }));
  });
});
