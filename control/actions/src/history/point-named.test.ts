import { expect, test } from 'vitest';
import { historyLines } from './history-lines.ts';
import { pointNamed } from './point-named.ts';
import { specAt } from './spec-at.ts';
import { objectRecord } from './spec-change.ts';

const AUTHOR = { at: '2026-01-01T00:00:00Z', who: 'ada@desk', command: 'kopsctl edit' };
const NOW = new Map([['config', 'late']]);
const LINES = historyLines(NOW, [
  { ...AUTHOR, number: 4, objects: [objectRecord('config', 'a', 'b')] },
  { ...AUTHOR, number: 6, objects: [objectRecord('config', 'kops', 'c')] },
]);

test.each([
  ['0', 'a'],
  ['3', 'a'],
  ['4', 'b'],
  ['4+', 'kops'],
  ['6', 'c'],
  ['6+', 'late'],
])('%s is the spec after that line of the history, or before all of them', (id, text) => {
  expect(specAt(NOW, LINES, pointNamed(LINES, id) ?? Number.NaN).get('config')).toBe(text);
});

test.each(['2', '5', '5+', '7', 'x'])('%s is not a point of that history', (id) => {
  expect(pointNamed(LINES, id)).toBeUndefined();
});

test('0 is a point of an empty history', () => {
  expect(pointNamed([], '0')).toBe(0);
});
