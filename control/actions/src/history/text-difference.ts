import { unifiedDiff } from '@kopsctl/tasks/unified-diff.ts';
import type { SpecTexts } from './spec-at.ts';

/** A text that two sets have differently, or that only one of them has. */
export interface TextDifference {
  readonly path: string;
  readonly change: 'added' | 'removed' | 'changed';
  /** As `diff -u` prints it. */
  readonly patch: string;
}

/** What is different in the second set of texts, in the order of paths. Pure. */
export function textDifferences(before: SpecTexts, after: SpecTexts): readonly TextDifference[] {
  const paths = [...new Set([...before.keys(), ...after.keys()])].toSorted();
  return paths.flatMap((path): readonly TextDifference[] => {
    const [old, young] = [before.get(path), after.get(path)];
    if (old === young) return [];
    const change = old === undefined ? 'added' : young === undefined ? 'removed' : 'changed';
    return [{ path, change, patch: unifiedDiff(path, old ?? '', young ?? '') }];
  });
}
