/** The largest size of one batch. */
export interface BatchLimits {
  readonly maxCount: number;
  readonly maxSize: number;
}

/** Divides items into batches, in order. An item larger than the limits is a batch of its own. Pure. */
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
