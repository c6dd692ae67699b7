/**
 * Does something with each, a few at a time, so that neither side is flooded. Where one fails, no other is begun; but those
 * under way have ended before this does, so that nothing happens behind the caller's back.
 */
export async function eachOf<T>(items: Iterable<T>, atATime: number, work: (item: T) => Promise<void>): Promise<void> {
  const rest = items[Symbol.iterator]();
  const errors: unknown[] = [];
  const worker = async () => {
    for (let next = rest.next(); !next.done && errors.length === 0; next = rest.next()) {
      await work(next.value).catch((error: unknown) => errors.push(error));
    }
  };
  await Promise.all(Array.from({ length: atATime }, worker));
  if (errors.length > 0) throw errors[0];
}
