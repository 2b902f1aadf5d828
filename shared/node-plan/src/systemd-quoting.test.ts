import { expect, test } from 'vitest';
import { commandLineWord, environmentAssignment, environmentFileValue } from './systemd-quoting.ts';

test.each([
  ['plain', '"plain"'],
  ['a "b" \\ $c `d`', String.raw`"a \"b\" \\ \$c ` + '\\`d\\`"'],
])('the value %s is written to an EnvironmentFile as %s', (value, quoted) => {
  expect(environmentFileValue(value)).toBe(quoted);
});

test.each([
  ['--flag=a,b', '--flag=a,b'],
  ['two words', '"two words"'],
  [String.raw`"\ $HOME 100%`, String.raw`"\"\\ $$HOME 100%%"`],
  ['', '""'],
])('the word %j stands in a command line as %s', (word, quoted) => {
  expect(commandLineWord(word)).toBe(quoted);
});

test.each([
  ['http://proxy:3128', '"NAME=http://proxy:3128"'],
  [String.raw`a "b" \ $c 100%`, String.raw`"NAME=a \"b\" \\ $c 100%%"`],
])('the variable with the value %s is set by Environment=%s', (value, assignment) => {
  expect(environmentAssignment('NAME', value)).toBe(assignment);
});
