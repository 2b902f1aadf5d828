import type { Listed } from './list-all.ts';

/**
 * Adds to each list what was last known of the zones that did not answer: that a zone is silent does not mean that its
 * machines are gone, and names must not be taken from them.
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
