import type { ObjectRecord } from './spec-change.ts';

/** The texts of a cluster's spec by their path below the cluster's folder. */
export type SpecTexts = ReadonlyMap<string, string>;

/**
 * The spec as it was after the first lines of its history, as many as `point` says: each object has the text that the next
 * of the later lines found, or its present one. Pure.
 */
export function specAt(
  now: SpecTexts,
  lines: readonly { readonly objects: readonly ObjectRecord[] }[],
  point: number,
): SpecTexts {
  const texts = new Map(now);
  for (const { objects } of lines.slice(point).toReversed()) {
    for (const { path, before } of objects) {
      if (before === null) texts.delete(path);
      else texts.set(path, before);
    }
  }
  return texts;
}
