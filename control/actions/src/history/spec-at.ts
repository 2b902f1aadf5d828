import type { SpecChange } from './spec-change.ts';

/** The texts of a cluster's spec by their path below the cluster's folder. */
export type SpecTexts = ReadonlyMap<string, string>;

/**
 * The spec as it was right after a change: each object has the text that the next change to it found, or its present one.
 * Changes made by other tools in between count as part of the recorded change before them. Pure.
 */
export function specAt(now: SpecTexts, changes: readonly SpecChange[], number: number): SpecTexts {
  const texts = new Map(now);
  const later = changes.filter((change) => change.number > number);
  for (const { objects } of later.toSorted((left, right) => right.number - left.number)) {
    for (const { path, before } of objects) {
      if (before === null) texts.delete(path);
      else texts.set(path, before);
    }
  }
  return texts;
}
