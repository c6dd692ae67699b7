/** An adapter for a kind of bloomline filter; all have the same methods. */
export function bloomlineKind(name, create) {
  return {
    name,
    create,
    add: (filter, key) => filter.add(key),
    has: (filter, key) => filter.has(key),
    addMany: (filter, keys) => filter.addMany(keys),
    hasMany: (filter, keys) => filter.hasMany(keys),
    bytes: (filter) => filter.byteLength,
  };
}
