import { expect, test } from 'vitest';
import { historyLines } from './history-lines.ts';
import { hashOfText, objectRecord, type ObjectRecord, type SpecChange } from './spec-change.ts';

const change = (number: number, ...objects: readonly ObjectRecord[]): SpecChange => ({
  number,
  at: '2026-01-01T00:00:00Z',
  who: 'ada@desk',
  command: 'kopsctl edit',
  objects,
});

/** As former releases recorded it: without the text that was written. */
const withoutText = (path: string, before: string | null, after: string): ObjectRecord => ({
  path,
  before,
  after: hashOfText(after),
});

/** Each line as its name and the texts before and after it. */
const shown = (now: Readonly<Record<string, string>>, changes: readonly SpecChange[]) =>
  historyLines(new Map(Object.entries(now)), changes).map(({ id, by, objects }) => [
    id,
    ...(by === 'another tool' ? [by] : []),
    ...objects.map(({ path, before, written }) => `${path}: ${before} -> ${written}`),
  ]);

test('a history that no other tool changed is its recorded changes', () => {
  const changes = [change(1, objectRecord('config', 'a', 'b')), change(3, objectRecord('config', 'b', 'c'))];
  expect(shown({ config: 'c' }, changes)).toEqual([
    ['1', 'config: a -> b'],
    ['3', 'config: b -> c'],
  ]);
});

test('what another tool wrote since the last change is a line of its own', () => {
  const changes = [change(1, objectRecord('config', 'a', 'b'), objectRecord('instancegroup/x', null, 'x'))];
  expect(shown({ config: 'kops' }, changes)).toEqual([
    ['1', 'config: a -> b', 'instancegroup/x: null -> x'],
    ['1+', 'another tool', 'config: b -> kops', 'instancegroup/x: x -> undefined'],
  ]);
});

test('what another tool wrote between two changes stands before the one that found it', () => {
  const changes = [
    change(4, objectRecord('config', 'a', 'b')),
    change(5, objectRecord('instancegroup/x', null, 'x')),
    change(6, objectRecord('config', 'kops', 'c')),
  ];
  expect(shown({ config: 'c', 'instancegroup/x': 'x' }, changes).map(([id]) => id)).toEqual(['4', '5', '5+', '6']);
});

test('after a cluster was created, objects that no change made are from another tool', () => {
  const created = change(1, objectRecord('config', null, 'a'));
  expect(shown({ config: 'a', 'instancegroup/x': 'x' }, [created]).at(-1)).toEqual([
    '1+',
    'another tool',
    'instancegroup/x: null -> x',
  ]);
  const changed = change(7, objectRecord('config', 'a', 'b'));
  expect(shown({ config: 'b', 'instancegroup/x': 'x' }, [changed])).toHaveLength(1);
});

test('an object that has its former text may be that of an interrupted command', () => {
  const changes = [change(1, objectRecord('config', 'a', 'b'))];
  const lines = (text: string) => historyLines(new Map([['config', text]]), changes);
  expect(lines('a').at(-1)).toMatchObject({ id: '1+', mayBeInterruption: true });
  expect(lines('kops').at(-1)).toMatchObject({ id: '1+', mayBeInterruption: false });
});

test('records of former releases, which lack the text that was written, are read as they are', () => {
  const changes = [change(1, withoutText('config', 'a', 'b')), change(2, withoutText('config', 'kops', 'c'))];
  expect(shown({ config: 'other' }, changes).map(([id]) => id)).toEqual(['1', '2']);
});
