// One of two workers on one filter. Keys are short, long, and not ASCII: each takes another way into memory.
import { BloomFilter } from "bloomline";

function key(i) {
  if (i % 3 === 0) return `https://example.com/${i}`;
  return i % 3 === 1 ? `${"a very long path/".repeat(10)}${i}` : `${"漢字の鍵".repeat(8)}${i}`;
}

const KEYS = Array.from({ length: 40_000 }, (_, i) => key(i));

let filter;
self.onmessage = ({ data }) => {
  if (data.find) {
    self.postMessage(KEYS.filter((key) => filter.has(key)).length);
    return;
  }
  filter = BloomFilter.attach(data.handle);
  const mine = KEYS.filter((_, i) => i % 2 === data.add);
  // Half in a batch, half one by one.
  filter.addMany(mine.slice(0, mine.length / 2));
  for (const key of mine.slice(mine.length / 2)) filter.add(key);
  self.postMessage("added");
};
