// V8 of Node 20 once crashed on optimised code for arrays that mix kinds of keys. A crash ends the process, so it is
// provoked in another.
import { expect, test } from "vitest";
import { inChild } from "../support/child.js";

test("arrays of mixed keys, until their code is optimised", async () => {
  const answer = await inChild(`
    import { BloomFilter } from "bloomline";
    const words = Array.from({ length: 500 }, (_, i) => "ключ-" + i);
    const mixtures = [[5, Uint8Array.of(1, 2)], [5, "x".repeat(200_000)], [5, 5n, "", Uint8Array.of(), 2n ** 63n]];
    for (const mixture of mixtures) {
      const filter = new BloomFilter({ capacity: 20_000 });
      const keys = [...words, ...mixture, ...words];
      for (let i = 0; i < 1000; i++) {
        filter.addMany(keys);
        if (filter.hasMany(keys).includes(0)) throw new Error("a key was lost");
      }
    }
    report("done");
  `);
  expect(answer).toBe("done");
});
