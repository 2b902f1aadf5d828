import { expect, test } from 'vitest';
import { parseDuration } from './duration.ts';

test.each([
  ['10m', 600_000],
  ['1h30m', 5_400_000],
  ['1.5s', 1_500],
  ['250ms', 250],
])('%s is %i ms', (text, ms) => expect(parseDuration(text, '--wait')).toBe(ms));

test.each(['', 'ten', '10', '5m later'])('%j is refused with an example', (text) => {
  expect(() => parseDuration(text, '--wait')).toThrow(/is not a duration/);
});
