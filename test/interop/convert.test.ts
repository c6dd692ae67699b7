import { BloomFilter } from "bloomline";
import { convert, funnels, GuavaBloomFilter, RedisBloomDump, RedisCuckooDump } from "bloomline/interop";
import { describe, expect, it } from "vitest";

const keys = ["a", "b", "c"];
const dump = RedisBloomDump.create({ capacity: 10, errorRate: 1e-6 });
dump.addMany(keys);

describe.each([
  { name: "GuavaBloomFilter", source: GuavaBloomFilter.from(keys, funnels.string, { expectedInsertions: 1000 }) },
  { name: "RedisBloomDump", source: dump },
])("a $name", ({ name, source }) => {
  it("becomes no other kind without its keys, and the error says why", () => {
    expect(() => convert(source, BloomFilter)).toThrow(expect.objectContaining({ code: "ERR_INCOMPATIBLE" }));
    expect(() => convert(source, BloomFilter)).toThrow(
      `A ${name} cannot become a BloomFilter without its keys: its bits do not tell them.`,
    );
  });

  it("does with them", () => {
    const filter = convert(source, BloomFilter, new Set(keys), { errorRate: 0.001 });
    expect(filter).toBeInstanceOf(BloomFilter);
    expect(filter).toMatchObject({ capacity: 3, errorRate: 0.001 });
    expect(filter.hasMany(keys)).toEqual(Uint8Array.of(1, 1, 1));
  });

  it("notices keys that are not its own", () => {
    expect(() => convert(source, BloomFilter, ["a", "x"])).toThrow(/Key 1 of 2 is not in the/);
    expect(() => convert(source, BloomFilter, "a" as never)).toThrow(TypeError);
  });
});

it("names the class of a cuckoo dump, too", () => {
  const header = new Uint8Array(38);
  header[8] = header[24] = header[32] = 1;
  const cuckoo = RedisCuckooDump.fromChunks([
    [1, header],
    [2, new Uint8Array(1)],
  ]);
  expect(() => convert(cuckoo, BloomFilter)).toThrow(/A RedisCuckooDump cannot become a BloomFilter/);
});
