import { createTwoFilesPatch } from 'diff';
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
    return [{ path, change, patch: patchOf(path, old, young) }];
  });
}

function patchOf(path: string, before: string | undefined, after: string | undefined): string {
  const names = [before === undefined ? '/dev/null' : `a/${path}`, after === undefined ? '/dev/null' : `b/${path}`];
  const patch = createTwoFilesPatch(names[0] ?? '', names[1] ?? '', before ?? '', after ?? '', '', '', { context: 3 });
  // The first line is a ruler for several patches in one file.
  return patch.replace(/^=+\n/, '').replaceAll(/^(---|\+\+\+) (\S+)\t$/gm, '$1 $2');
}
