// What one thread has added and told of, every other thread finds: while it goes on adding, and after it was ended.
import { describe, expect, test } from "vitest";
import { BloomFilter } from "../../dist/index.js";
import { messageOf, reaches, sharedNumber, startWorker } from "./threads.js";

const BLOCKS = 40_000;

/** A filter that a worker adds to, block after block. */
function written(block: number, single = false) {
  const filter = new BloomFilter({ capacity: 1_000_000, shared: true });
  const added = sharedNumber();
  const stop = sharedNumber();
  const worker = startWorker("writer", { handle: filter.share(), added, stop, block, blocks: BLOCKS, single });
  return {
    filter,
    added,
    worker,
    stop: () => Atomics.store(stop, 0, 1),
  };
}

const upTo = (n: number) => Float64Array.from({ length: n }, (_, i) => i);

/** Of n keys the newest, where a race would show, and some of all ages. */
function sampleUpTo(n: number): Float64Array {
  return Float64Array.from({ length: 10_000 }, (_, i) => (i < 5000 ? Math.max(0, n - 1 - i) : (i * 7919) % n));
}

function absentAmong(filter: BloomFilter, keys: Float64Array): number {
  return filter.hasMany(keys).filter((answer) => answer === 0).length;
}

describe("readers during writes", () => {
  test.each([
    { form: "one by one", block: 8, single: true },
    { form: "in batches", block: 600, single: false },
  ])("never miss a key that was acknowledged, $form", async ({ block, single }) => {
    const writer = written(block, single);
    const done = messageOf(writer.worker);
    const checked = sharedNumber();
    const questions = 100_000;
    const readers = [0, 1].map(() =>
      startWorker("reader", { handle: writer.filter.share(), added: writer.added, checked, questions, single }),
    );
    const reports = Promise.all(readers.map((reader) => messageOf<{ absent: number }>(reader)));
    await reaches(checked, 1);
    const before = Atomics.load(writer.added, 0);
    expect(await reports).toEqual([{ absent: 0 }, { absent: 0 }]);
    // Otherwise nobody wrote while they read.
    expect(Atomics.load(writer.added, 0)).toBeGreaterThan(before);
    writer.stop();
    await done;
    await Promise.all([writer.worker, ...readers].map((worker) => worker.terminate()));
  });
});

describe("copies made during writes hold all that was added before", () => {
  const copies: Record<string, (filter: BloomFilter) => BloomFilter> = {
    "toBytes, whose checksums are right": (filter) => BloomFilter.fromBytes(filter.toBytes()),
    "merge into a local filter": (filter) => new BloomFilter({ capacity: 1_000_000 }).merge(filter),
    "merge into a shared filter": (filter) => new BloomFilter({ capacity: 1_000_000, shared: true }).merge(filter),
    clone: (filter) => filter.clone(),
  };

  test.each(Object.entries(copies))("%s", async (_, copy) => {
    const { filter, added, worker, stop } = written(500);
    const done = messageOf(worker);
    await reaches(added, 1);
    const first = Atomics.load(added, 0);
    for (let i = 0; i < 10; i++) {
      const before = Atomics.load(added, 0);
      expect(absentAmong(copy(filter), sampleUpTo(before))).toBe(0);
    }
    await reaches(added, first + 1);
    stop();
    await done;
    await worker.terminate();
    expect(copy(filter).equals(filter)).toBe(true);
    expect(copy(filter).count).toBe(filter.count);
  });

  test("merging into a filter that others write loses neither side", async () => {
    const { filter, added, worker, stop } = written(500);
    const done = messageOf(worker);
    await reaches(added, 1);
    const others = Float64Array.from({ length: 50_000 }, (_, i) => -1 - i);
    for (let i = 0; i < 10; i++) {
      filter.merge(BloomFilter.from(others.subarray(i * 5000, (i + 1) * 5000), { capacity: 1_000_000 }));
    }
    stop();
    await done;
    await worker.terminate();
    expect(absentAmong(filter, others)).toBe(0);
    expect(absentAmong(filter, upTo(Atomics.load(added, 0)))).toBe(0);
    const alone = new BloomFilter({ capacity: 1_000_000 });
    alone.addMany(others);
    alone.addMany(upTo(Atomics.load(added, 0)));
    expect(filter.equals(alone)).toBe(true);
    expect(filter.count).toBe(alone.count);
  });
});

describe("terminate() in the middle of a batch", () => {
  test("leaves what was acknowledged, and a filter that others go on with", async () => {
    const { filter, added, worker } = written(20_000);
    await reaches(added, 20_000);
    const other = startWorker("writer", {
      handle: filter.share(),
      added: sharedNumber(),
      stop: sharedNumber(),
      first: 1e9,
      block: 1000,
      blocks: 100,
    });
    const otherDone = messageOf(other);
    await worker.terminate();
    await otherDone;
    await other.terminate();

    const acknowledged = Atomics.load(added, 0);
    expect(absentAmong(filter, upTo(acknowledged))).toBe(0);
    expect(
      absentAmong(
        filter,
        Float64Array.from({ length: 100_000 }, (_, i) => 1e9 + i),
      ),
    ).toBe(0);

    // It was ended at work: at most one block beyond what it had acknowledged can be there in part.
    const least = new BloomFilter({ capacity: 1_000_000 });
    least.addMany(upTo(acknowledged));
    least.addMany(Float64Array.from({ length: 100_000 }, (_, i) => 1e9 + i));
    const most = least.clone();
    most.addMany(upTo(acknowledged + 20_000));
    expect(least.clone().intersect(filter).equals(least)).toBe(true);
    expect(most.clone().merge(filter).equals(most)).toBe(true);
    expect(BloomFilter.fromBytes(filter.toBytes()).equals(filter)).toBe(true);
    // The bits of the one key it was ended at may be uncounted.
    const counted = BloomFilter.fromBytes(filter.toBytes());
    expect(Math.abs(counted.count - filter.count)).toBeLessThanOrEqual(2);
  });
});
