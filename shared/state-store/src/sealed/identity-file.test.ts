import { expect, test } from 'vitest';
import { parseIdentities } from './identity-file.ts';

const IDENTITY = `AGE-SECRET-KEY-1${'Q'.repeat(58)}`;
const refuse = (why: string): Error => new Error(why);

test('identities are read from a file of age-keygen', () => {
  const text = `# created: 2026-11-23T08:00:00Z\n# public key: age1…\n${IDENTITY}\n\n  ${IDENTITY}\r\n`;
  expect(parseIdentities(text, refuse)).toEqual([IDENTITY, IDENTITY]);
});

test.each([
  ['', 'it holds no identity'],
  ['# nothing\n', 'it holds no identity'],
  [`# \nhunter2\n`, 'line 2 is not an X25519 identity'],
  [`${IDENTITY}Q`, 'line 1 is not an X25519 identity'],
])('of %j it is told which line is wrong, and not what is in it', (text, why) => {
  expect(() => parseIdentities(text, refuse)).toThrow(new Error(why));
});
