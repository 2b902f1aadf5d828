import { expect, test } from 'vitest';
import { historyLines } from './history-lines.ts';
import { pointBefore } from './point-before.ts';
import { objectRecord, type ObjectRecord, type SpecChange } from './spec-change.ts';

const change = (number: number, ...objects: readonly ObjectRecord[]): SpecChange => ({
  number,
  at: '2026-01-01T00:00:00Z',
  who: 'ada@desk',
  command: 'kopsctl edit',
  objects,
});
const changes = [change(1, objectRecord('config', 'a', 'b')), change(2, objectRecord('config', 'b', 'c'))];
const before = (now: Readonly<Record<string, string>>, recorded: readonly SpecChange[]) => {
  const lines = historyLines(new Map(Object.entries(now)), recorded);
  return { last: lines.at(-1)?.id, point: pointBefore(lines, lines.length) };
};

test('before the last change, or before what another tool did', () => {
  expect(before({ config: 'c' }, changes)).toEqual({ last: '2', point: 1 });
  expect(before({ config: 'kops' }, changes)).toEqual({ last: '2+', point: 2 });
  expect(pointBefore([], 0)).toBe(0);
});

test('a command that was interrupted is not carried out by undoing it, whether it wrote nothing or a part', () => {
  expect(before({ config: 'b' }, changes)).toEqual({ last: '2+', point: 1 });
  const ofTwo = change(2, objectRecord('config', 'b', 'c'), objectRecord('instancegroup/x', 'x', 'y'));
  expect(before({ config: 'c', 'instancegroup/x': 'x' }, [changes[0]!, ofTwo])).toEqual({ last: '2+', point: 1 });
});

test('what another tool put back of an earlier change takes no later change with it', () => {
  const recorded = [changes[0]!, change(2, objectRecord('instancegroup/x', 'x', 'y'))];
  expect(before({ config: 'a', 'instancegroup/x': 'y' }, recorded)).toEqual({ last: '2+', point: 2 });
});
