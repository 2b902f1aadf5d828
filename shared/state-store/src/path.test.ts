import { expect, test } from 'vitest';
import { comparePaths, folderOfPrefix } from './path.ts';

test('A prefix is a folder, however it is written', () => {
  expect(folderOfPrefix('memory://', '')).toBe('');
  expect(folderOfPrefix('memory://', 'a/b')).toBe('a/b/');
  expect(folderOfPrefix('memory://', 'a/b/')).toBe('a/b/');
});

test('Paths are ordered by UTF-8 bytes, where UTF-16 would differ', () => {
  expect(['\u{1F600}', '\uFF5E'].sort(comparePaths)).toEqual(['\uFF5E', '\u{1F600}']);
});
