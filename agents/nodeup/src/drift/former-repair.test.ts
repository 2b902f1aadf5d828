import { expect, test } from 'vitest';
import { formerRepair } from './former-repair.ts';

const repaired = { at: '2030-01-01T00:00:00.000Z', tasks: ['File/a'] };

test('the last repair is told again as long as the plan is the same', () => {
  const report = JSON.stringify({ kind: 'DriftReport', planHash: 'a', differences: [], repaired });
  expect(formerRepair(report, 'a')).toEqual(repaired);
  expect(formerRepair(report, 'b')).toBeUndefined();
  expect(formerRepair(JSON.stringify({ planHash: 'a' }), 'a')).toBeUndefined();
});

// protokube tells nothing of a report with a field that it cannot read.
test.each([
  'null',
  '{',
  '{"planHash":"a","repaired":null}',
  '{"planHash":"a","repaired":"yes"}',
  '{"planHash":"a","repaired":{"at":"2030-01-01T00:00:00.000Z","tasks":"File/a"}}',
])('the broken report %s tells of no repair', (report) => {
  expect(formerRepair(report, 'a')).toBeUndefined();
});
