export default {
  name: "Set",
  create: () => new Set(),
  add: (set, key) => set.add(key),
  has: (set, key) => set.has(key),
};
