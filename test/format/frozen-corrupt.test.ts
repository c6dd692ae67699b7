import {
  BloomierMap,
  BloomlineError,
  CompactApproximator,
  FilterBank,
  FuseFilter,
  GolombSet,
  openFilter,
} from "bloomline";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { frozenGoldens } from "../golden/frozen.mjs";
import { rewritten } from "../support/header.js";
import { murmur3 } from "../support/model.js";

const files = frozenGoldens.map(({ name, build }) => ({ name, good: build({}).toBytes() }));

/** Does everything that reads, and nothing may crash, hang or leave the filter. */
function useAll(filter: ReturnType<typeof openFilter>): void {
  const keys = Array.from({ length: 300 }, (_, i) => i * 7919 - 1000);
  const answers = filter.hasMany(keys);
  keys.forEach((key, i) => {
    expect(Number(filter.has(key))).toBe(answers[i]);
  });
  if (filter instanceof GolombSet) {
    expect([...filter].length).toBeLessThanOrEqual(filter.count);
    try {
      filter.merge(filter);
    } catch (error) {
      expect(error).toBeInstanceOf(BloomlineError);
    }
  }
  if (filter instanceof BloomierMap || filter instanceof CompactApproximator) for (const key of keys) filter.get(key);
  if (filter instanceof FilterBank) {
    for (const key of keys) for (const i of filter.which(key)) expect(i).toBeLessThan(filter.filters);
    for (const i of filter.indices.slice(0, 3)) filter.filter(i);
  }
  filter.clone();
}

describe.each(files)("$name", ({ good }) => {
  it("is refused when it is cut or added to", () => {
    for (let length = 0; length < good.length; length += length < 70 ? 1 : 61) {
      expect(() => openFilter(good.subarray(0, length))).toThrow(expect.objectContaining({ code: "ERR_TRUNCATED" }));
    }
    expect(() => openFilter(Uint8Array.of(...good, 0))).toThrow(expect.objectContaining({ code: "ERR_CORRUPT" }));
  });

  it("is refused with any of its bits flipped", () => {
    fc.assert(
      fc.property(fc.nat(good.length * 8 - 1), (bit) => {
        const bad = Uint8Array.from(good);
        bad[bit >> 3]! ^= 1 << (bit & 7);
        expect(() => openFilter(bad)).toThrow(BloomlineError);
      }),
      { numRuns: 300, seed: 1 },
    );
  });

  it("does no harm when a forger made its lines, checksum and all", () => {
    const stretch = fc.tuple(fc.nat(), fc.uint8Array({ minLength: 1, maxLength: 200 }));
    fc.assert(
      fc.property(fc.array(stretch, { minLength: 1, maxLength: 4 }), (stretches) => {
        const forged = Uint8Array.from(good);
        for (const [at, bytes] of stretches) {
          bytes.forEach((byte, i) => {
            forged[64 + ((at + i) % (good.length - 64))] = byte;
          });
        }
        const lines = forged.subarray(64);
        const ones = lines.reduce((sum, byte) => sum + byte.toString(2).replaceAll("0", "").length, 0);
        const counted = good[5]! >= 14 ? { ones: BigInt(ones) } : {};
        useAll(openFilter(rewritten(forged, { checksum: murmur3(lines).h1, ...counted })));
      }),
      { numRuns: 15, seed: 2 },
    );
  });

  it("does no harm when a forger made its header", () => {
    const view = new DataView(good.buffer);
    const near = (value: number) =>
      fc.oneof(fc.constant(value), fc.nat(2 ** 31 - 1), fc.nat(300), fc.constantFrom(0, 2 ** 32 - 1));
    /** One byte of a field changed, which is what passes most checks. */
    const nudged = (value: number) =>
      fc.tuple(fc.nat(3), fc.nat(255)).map(([byte, to]) => ((value & ~(255 << (byte * 8))) | (to << (byte * 8))) >>> 0);
    const field = (at: number) =>
      fc.option(fc.oneof(near(view.getUint32(at, true)), nudged(view.getUint32(at, true))), { nil: undefined });
    let opened = 0;
    fc.assert(
      fc.property(
        field(12),
        field(56),
        fc.option(fc.nat(40), { nil: undefined }),
        fc.option(fc.bigInt(1n, 2n ** 53n - 1n), { nil: undefined }),
        fc.option(fc.double({ min: 1e-12, max: 1, noNaN: true }), { nil: undefined }),
        fc.option(fc.bigInt(0n, 2n ** 40n), { nil: undefined }),
        (reserved, reservedToo, hashes, capacity, errorRate, ones) => {
          const fields = { reserved, reservedToo, hashes, capacity, errorRate, ones };
          const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
          let filter: ReturnType<typeof openFilter>;
          try {
            filter = openFilter(rewritten(good, given));
          } catch (error) {
            expect(error).toBeInstanceOf(BloomlineError);
            return;
          }
          opened++;
          useAll(filter);
        },
      ),
      { numRuns: 600, seed: 3 },
    );
    expect(opened).toBeGreaterThan(0);
  });
});

it("a file of one kind is not opened by the class of another", () => {
  const fuse = FuseFilter.from(["a"]).toBytes();
  const others: { fromBytes(bytes: Uint8Array): unknown }[] = [GolombSet, BloomierMap, CompactApproximator, FilterBank];
  for (const type of others) {
    expect(() => type.fromBytes(fuse)).toThrow(expect.objectContaining({ code: "ERR_KIND" }));
  }
});
