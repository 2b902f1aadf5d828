import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff/lib/patch/create.js';

/** How two versions of a text differ, as `diff -u` prints it; '' when they do not. */
export function unifiedDiff(path: string, actual: string, wanted: string): string {
  if (actual === wanted) return '';
  const options = { context: 3, headerOptions: FILE_HEADERS_ONLY };
  return createTwoFilesPatch(path, path, actual, wanted, undefined, undefined, options);
}
