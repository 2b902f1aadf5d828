import { expect, test } from 'vitest';
import { printable, printableLines, printableTexts } from './printable.ts';

test.each([
  ['two\nlines\tand a tab', 'two lines and a tab'],
  ['\u001b[2J\u001b[31mred', '\ufffd[2J\ufffd[31mred'],
  ['\u009b31m, DEL \u007f', '\ufffd31m, DEL \ufffd'],
  ['cluster \u202edaetsni\u202c', 'cluster \ufffddaetsni\ufffd'],
  ['größer, 中文, 🚀', 'größer, 中文, 🚀'],
])('%j is shown as %j', (text, shown) => {
  expect(printable(text)).toBe(shown);
});

test('A text that is too long is cut off', () => {
  expect(printable('x'.repeat(1_000_000), 10)).toBe(`${'x'.repeat(10)}…`);
});

test.each([
  ['two\nlines\tand a tab\n', 'two\nlines\tand a tab\n'],
  ['[\u001b[0;32m  OK  \u001b[0m] Started\r\n', '[  OK  ] Started\n'],
  ['over\rwritten', 'over\ufffdwritten'],
  ['\u001b[2J\u001b[31mred\u001b]0;title\u0007', '\ufffd[2Jred\ufffd]0;title\ufffd'],
  ['\u001b[\u001b[31m2J', '\ufffd[2J'],
  ['\u001b\n\u001b', '\ufffd\n\ufffd'],
])('of several lines %j is shown as %j', (text, shown) => {
  expect(printableLines(text)).toBe(shown);
});

test('every text within a value is made printable, and nothing else changes', () => {
  const written = { 'a\u0007': ['\u001b[2J', { deep: 'x\ny' }], count: 3, isSo: true, missing: undefined, none: null };
  expect(printableTexts(written)).toEqual({
    'a\ufffd': ['\ufffd[2J', { deep: 'x y' }],
    count: 3,
    isSo: true,
    missing: undefined,
    none: null,
  });
});
