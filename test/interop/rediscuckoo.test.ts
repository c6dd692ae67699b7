import { RedisCuckooDump } from "bloomline/interop";
import { describe, expect, it } from "vitest";
import { bytesOfItem, item, murmur64A } from "../support/interop.js";

/** RedisBloom's cuckoo filter, insertion and all, in plain arithmetic. */
class Model {
  items = 0;
  readonly layers: Uint8Array[] = [];

  constructor(
    readonly buckets: number,
    readonly bucketSize: number,
    readonly expansion: number,
  ) {
    this.grow();
  }

  grow(): void {
    const buckets = this.buckets * this.expansion ** this.layers.length;
    this.layers.push(new Uint8Array(buckets * this.bucketSize));
  }

  /** The item's two buckets in a layer, and its fingerprint. */
  find(item: string, layer: Uint8Array): { fingerprint: number; buckets: Uint8Array[] } {
    const hash = murmur64A(bytesOfItem(item), 0n);
    const fingerprint = Number(hash % 255n) + 1;
    const count = BigInt(layer.length / this.bucketSize);
    const buckets = [hash, hash ^ (BigInt(fingerprint) * 0x5bd1e995n)].map((h) => {
      const at = Number(h % count) * this.bucketSize;
      return layer.subarray(at, at + this.bucketSize);
    });
    return { fingerprint, buckets };
  }

  /** Never moves a fingerprint: where there is no place, it grows. */
  add(item: string): void {
    for (const layer of this.layers.toReversed()) {
      const { fingerprint, buckets } = this.find(item, layer);
      for (const bucket of buckets) {
        const place = bucket.indexOf(0);
        if (place < 0) continue;
        bucket[place] = fingerprint;
        this.items++;
        return;
      }
    }
    this.grow();
    this.add(item);
  }

  count(item: string): number {
    return this.layers
      .flatMap((layer) => {
        const { fingerprint, buckets } = this.find(item, layer);
        return buckets.map((bucket) => bucket.filter((place) => place === fingerprint).length);
      })
      .reduce((sum, n) => sum + n, 0);
  }

  chunks(): [number, Uint8Array][] {
    const header = new Uint8Array(38);
    const view = new DataView(header.buffer);
    view.setBigUint64(0, BigInt(this.items), true);
    view.setBigUint64(8, BigInt(this.buckets), true);
    view.setBigUint64(16, 3n, true);
    view.setBigUint64(24, BigInt(this.layers.length), true);
    view.setUint16(32, this.bucketSize, true);
    view.setUint16(34, 20, true);
    view.setUint16(36, this.expansion, true);
    let at = 1;
    return [[1, header], ...this.layers.map((layer): [number, Uint8Array] => [(at += layer.length), layer])];
  }
}

describe.each([{ engine: "wasm" }, { engine: "js" }] as const)("a cuckoo dump on $engine", (options) => {
  it.each([
    [64, 2, 1],
    [64, 4, 2],
    [1, 1, 2],
    [256, 255, 1],
    [1, 3, 4],
  ])("of %d buckets of %d, expansion %d, answers as CF.EXISTS and CF.COUNT", (buckets, bucketSize, expansion) => {
    const model = new Model(buckets, bucketSize, expansion);
    for (let j = 0; j < 1000; j++) {
      model.add(item(j));
      if (j % 10 === 0) model.add(item(j));
    }
    const dump = RedisCuckooDump.fromChunks(model.chunks(), options);
    expect(dump).toMatchObject({
      count: 1100,
      deleted: 3,
      layers: model.layers.length,
      bucketSize,
      expansion,
      capacity: model.layers.reduce((sum, layer) => sum + layer.length, 0),
    });
    const asked = [...Array(1000).keys()].flatMap((j) => [item(j), `absent/${j}`]);
    const counts = asked.map((text) => model.count(text));
    expect(asked.map((text) => dump.countOf(text))).toEqual(counts);
    expect(asked.map((text) => dump.has(text))).toEqual(counts.map((n) => n > 0));
    expect([...dump.hasMany(asked)]).toEqual(counts.map((n) => Number(n > 0)));
    expect([...dump.chunks()]).toEqual(model.chunks());
    expect(RedisCuckooDump.fromBytes(dump.toBytes(), options).toBytes()).toEqual(dump.toBytes());
  });

  it("comes from a stream", async () => {
    const model = new Model(16, 2, 1);
    model.add("one");
    async function* stream() {
      yield* model.chunks();
    }
    const dump = await RedisCuckooDump.fromStream(stream(), options);
    expect(dump.hasMany(["one", "two"])).toEqual(Uint8Array.of(1, 0));
    dump.dispose();
    expect(() => dump.has("one")).toThrow(expect.objectContaining({ code: "ERR_DISPOSED" }));
  });
});

it("finds a place that is in both buckets twice, as CF.COUNT does", () => {
  const model = new Model(1, 2, 1);
  model.add("one");
  expect(RedisCuckooDump.fromChunks(model.chunks()).countOf("one")).toBe(2);
});
