import { expect, test } from 'vitest';
import { parseMemberFile } from './member-file.ts';

test('a member file is read as it was written', () => {
  const file = { member: 'a', members: ['a', 'b', 'c'], volumeId: 'vol-1' };
  expect(parseMemberFile(`${JSON.stringify(file)}\n`)).toEqual(file);
});

test.each(['', '{', 'null', '[]', '{"member":"a"}', '{"member":"a","members":"a","volumeId":"v"}'])(
  'a damaged member file counts as none: %s',
  (text) => {
    expect(parseMemberFile(text)).toBeUndefined();
  },
);
