import { expect, test } from 'vitest';
import { quotedShellWord, shellWord, shellWords } from './shell-word.ts';

test.each([
  ['/plain/path-1.2:x', '/plain/path-1.2:x'],
  ['--flag=a,b@c+%h', '--flag=a,b@c+%h'],
  ['', `''`],
  ['two words', `'two words'`],
  [`it's $HOME`, `'it'\\''s $HOME'`],
  [`'`, `''\\'''`],
  ['a\nb', `'a\nb'`],
  ['a\n', `'a\n'`],
  ['etcd-*', `'etcd-*'`],
  ['--key=~/id', `'--key=~/id'`],
  ['a;b', `'a;b'`],
  ['\\', `'\\'`],
  ['é', `'é'`],
])('the word %j is %s for a shell', (word, written) => {
  expect(shellWord(word)).toBe(written);
});

test('a word may be within quotes in any case', () => {
  expect(quotedShellWord('plain')).toBe(`'plain'`);
  expect(quotedShellWord(`it's`)).toBe(`'it'\\''s'`);
});

test('a command is its words', () => {
  expect(shellWords(['echo', 'a b', '-n'])).toBe(`echo 'a b' -n`);
});
