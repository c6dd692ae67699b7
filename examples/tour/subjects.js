import { BloomFilter } from "bloomline";

/** A filter on one engine. Each action takes an array of keys; `has` and `hasMany` return how many answers were yes. */
function filterOn(engine, options) {
  return {
    name: `bloomline, ${engine}`,
    create: () => new BloomFilter({ ...options, engine }),
    add(filter, keys) {
      for (const key of keys) filter.add(key);
    },
    has(filter, keys) {
      let yes = 0;
      for (const key of keys) if (filter.has(key)) yes++;
      return yes;
    },
    addMany(filter, keys) {
      filter.addMany(keys);
    },
    hasMany(filter, keys) {
      let yes = 0;
      for (const answer of filter.hasMany(keys)) yes += answer;
      return yes;
    },
  };
}

const set = {
  name: "Set",
  create: () => new Set(),
  add(set, keys) {
    for (const key of keys) set.add(key);
  },
  has(set, keys) {
    let yes = 0;
    for (const key of keys) if (set.has(key)) yes++;
    return yes;
  },
};

/** What the tour compares. */
export function subjects(options) {
  return [filterOn("wasm", options), filterOn("js", options), set];
}
