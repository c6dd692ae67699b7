/** Does something with each, a few at a time, so that neither side is flooded. */
export async function eachOf<T>(items: Iterable<T>, atATime: number, work: (item: T) => Promise<void>): Promise<void> {
  const rest = items[Symbol.iterator]();
  const worker = async () => {
    for (let next = rest.next(); !next.done; next = rest.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: atATime }, worker));
}
