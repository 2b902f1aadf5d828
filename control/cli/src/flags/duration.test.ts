import { expect, test } from 'vitest';
import { parseDuration } from './duration.ts';

test.each([
  ['10m', 600_000],
  ['1h30m', 5_400_000],
  ['1.5s', 1_500],
  ['250ms', 250],
  ['+1h', 3_600_000],
  ['0', 0],
])('%s is %i ms', (text, ms) => expect(parseDuration(text, '--wait')).toBe(ms));

test.each([
  ['', 'is not a duration'],
  ['ten', 'is not a duration'],
  ['10', 'is not a duration'],
  ['5m later', 'is not a duration'],
  ['-5m', 'is negative'],
])('%j is refused: it %s', (text, why) => {
  expect(() => parseDuration(text, '--wait')).toThrow(why);
});
