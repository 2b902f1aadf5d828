import type { Listed } from './list-all.ts';

/**
 * Adds the last known items of zones that did not respond: an unreachable zone does not mean that its machines are
 * gone, and their names must be kept.
 */
export function keepUnreachable<T extends { readonly zone: string }>(
  idOf: (item: T) => string,
): (listed: Listed<T>) => readonly T[] {
  let known: readonly T[] = [];
  return ({ items, unreachable }) => {
    const shown = new Set(items.map(idOf));
    known = [...items, ...known.filter((item) => unreachable.has(item.zone) && !shown.has(idOf(item)))];
    return known;
  };
}
