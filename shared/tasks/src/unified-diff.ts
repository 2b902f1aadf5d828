import { createTwoFilesPatch } from 'diff/lib/patch/create.js';

/** How two versions of a text differ, as `diff -u` prints it; '' when they do not. */
export function unifiedDiff(path: string, actual: string, wanted: string): string {
  if (actual === wanted) return '';
  return createTwoFilesPatch(path, path, actual, wanted, undefined, undefined, { context: 3 })
    .split('\n')
    .filter((line) => !/^=+$/.test(line))
    .join('\n');
}
