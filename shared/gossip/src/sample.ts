/** Chooses at random, so that none is left out for good. */
export function sample<T>(from: readonly T[], count: number): readonly T[] {
  if (from.length <= count) return from;
  return from
    .map((one) => ({ one, order: Math.random() }))
    .toSorted((a, b) => a.order - b.order)
    .slice(0, count)
    .map(({ one }) => one);
}
