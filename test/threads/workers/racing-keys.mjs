// What each thread adds in each round of a race, for the threads and for the one that checks them.

/** Keys of one thread in one round. Overlapping sets share half of their keys with every other thread's. */
export function racingKeys({ kind, overlap, perThread }, round, thread) {
  return Array.from({ length: perThread }, (_, i) => {
    const owner = overlap && i % 2 === 0 ? 0 : thread + 1;
    const number = (round * 64 + owner) * perThread + i;
    return kind === "strings" ? `key number ${number}` : number;
  });
}

export const ways = {
  "strings, one by one": { kind: "strings", add: addEach },
  "strings, in a batch": { kind: "strings", add: (filter, keys) => filter.addMany(keys) },
  "integers, one by one": { kind: "integers", add: addEach },
  "integers, in a batch": { kind: "integers", add: (filter, keys) => filter.addMany(Uint32Array.from(keys)) },
  "hashes, one by one": {
    kind: "strings",
    add: (filter, keys) => {
      for (const key of keys) filter.addHash(filter.hash(key));
    },
  },
};

function addEach(filter, keys) {
  for (const key of keys) filter.add(key);
}
