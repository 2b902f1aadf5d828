/** How large one part of a change may be. */
export interface BatchLimits {
  readonly maxCount: number;
  readonly maxSize: number;
}

/** Divides what cannot be done at once into parts, in order; what is larger than a part is one of its own. Pure. */
export function batches<Item>(
  items: readonly Item[],
  { maxCount, maxSize }: BatchLimits,
  measure: (item: Item) => { readonly count: number; readonly size: number },
): readonly (readonly Item[])[] {
  const result: Item[][] = [];
  let [count, size] = [Infinity, Infinity];
  for (const item of items) {
    const own = measure(item);
    if (count + own.count > maxCount || size + own.size > maxSize) {
      result.push([]);
      [count, size] = [0, 0];
    }
    result.at(-1)?.push(item);
    count += own.count;
    size += own.size;
  }
  return result;
}
