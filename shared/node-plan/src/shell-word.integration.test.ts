import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { quotedShellWord, shellWord } from './shell-word.ts';

/** All that an argument can hold in one byte, and some of what it can in several. */
const CHARACTERS = [...Array.from({ length: 127 }, (_, index) => String.fromCodePoint(index + 1)), 'é', '€', '😀'];
const SPECIAL = CHARACTERS.filter((character) => !/^[A-Za-z0-9]$/.test(character));

/** Each character alone, where its neighbours are plain, and each special one beside each other. */
const WORDS = [
  '',
  ...CHARACTERS.flatMap((one) => [one, `a${one}`, `${one}a`, `a=${one}/b`]),
  ...SPECIAL.flatMap((one) => SPECIAL.map((other) => one + other)),
  '$(id)',
  '`id`',
  '${HOME}',
  '-n',
  '~root/x',
  'PATH=~:~',
  '{a,b}',
];

test.each([
  ['shellWord', shellWord],
  ['quotedShellWord', quotedShellWord],
])('a shell reads what %s has written as the same word', (_, written) => {
  const script = `printf '%s\\0' ${WORDS.map((word) => written(word)).join(' ')}`;
  expect(execFileSync('sh', { input: script, encoding: 'utf8' }).split('\0')).toEqual([...WORDS, '']);
});
