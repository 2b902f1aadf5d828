import { expect, test } from 'vitest';
import { violations, type History, type Operation } from './history.ts';

const write = (value: number, startMs: number, ackMs?: number): Operation => ({
  type: 'write',
  key: 'k',
  value,
  startMs,
  ...(ackMs !== undefined && { ackMs }),
});
const read = (value: number, startMs: number, endMs: number): Operation => ({
  type: 'read',
  key: 'k',
  value,
  startMs,
  endMs,
});
const history = (operations: readonly Operation[], change: Partial<History> = {}): History => ({
  operations,
  watched: [],
  clusterIds: ['1', '1'],
  ...change,
});

test('a history in which etcd kept its guarantees has no violations', () => {
  // The outcome of write 2 is unknown, and it happened. A read concurrent with a write may see either value.
  const operations = [write(1, 0, 1), write(2, 2), read(2, 3, 4), write(3, 5, 8), read(2, 6, 7), read(3, 9, 10)];
  const events = [1, 2, 3].map((value) => ({ key: 'k', value, revision: value + 1 }));
  expect(violations(history(operations, { watched: [{ watcher: 'w', events }] }))).toEqual([]);
});

test.each<[string, History, string]>([
  ['a lost write', history([write(1, 0, 1), read(0, 2, 3)]), 'although 1 was acknowledged before'],
  ['a value that was never written', history([write(1, 0, 1), read(2, 2, 3)]), 'no client had written more than 1'],
  ['a read that goes back', history([write(1, 0), read(1, 1, 2), read(0, 3, 4)]), 'although 1 had been read before'],
  ['a second cluster', history([], { clusterIds: ['1', '2'] }), 'two clusters: 1, 2'],
])('%s is found', (_title, broken, message) => {
  expect(violations(broken).join('\n')).toContain(message);
});

const refused = (value: number, startMs: number): Operation =>
  ({ ...write(value, startMs), isRefused: true }) as Operation;

test('a write that etcd refused has not happened', () => {
  // It was refused because write 1, whose answer was lost, had happened.
  const operations = [write(1, 0), refused(2, 1), write(3, 2, 3), read(3, 4, 5)];
  const events = (...values: readonly number[]) => [
    { watcher: 'w', events: values.map((value, index) => ({ key: 'k', value, revision: index + 5 })) },
  ];
  expect(violations(history(operations, { watched: events(1, 3) }))).toEqual([]);
  expect(violations(history([...operations, read(2, 1, 2)])).join('\n')).toContain(
    'although etcd had refused that write',
  );
  expect(violations(history(operations, { watched: events(1, 2, 3) })).join('\n')).toContain('which etcd had refused');
  // Nobody has written 2, so a read of more than 1 before write 3 began is invented.
  expect(violations(history([write(1, 0), refused(2, 1), read(3, 4, 5)])).join('\n')).toContain('more than 1');
});

test('a watcher that is told only of the last of several acknowledged writes has missed the others', () => {
  const operations = [1, 2, 3, 4, 5].map((value) => write(value, value, value));
  const watched = [{ watcher: 'w', events: [{ key: 'k', value: 5, revision: 9 }] }];
  expect(violations(history(operations, { watched }))).toEqual(['w: never received k=1']);
});

test('a cluster that another one replaced for a while is found, even if all members agree in the end', () => {
  expect(violations(history([], { clusterIds: ['1', '1', '2', '1'] }))).toEqual(['two clusters: 1, 2']);
});

test.each([
  ['a revision that goes back', [5, 4], [1, 2], 'revision 4 after 5'],
  ['an event that arrives twice', [5, 6], [1, 1], 'k went from 1 to 1'],
  ['an event that never arrives', [5, 6], [1, 3], 'never received k=2'],
  ['a watcher that missed the last events', [5], [1], 'never received k=2, only up to 1'],
])('%s is found in the events of a watcher', (_title, revisions, values, message) => {
  const events = revisions.map((revision, index) => ({ key: 'k', value: values[index] ?? 0, revision }));
  const broken = history([write(2, 0, 1)], { watched: [{ watcher: 'w', events }] });
  expect(violations(broken).join('\n')).toContain(message);
});
