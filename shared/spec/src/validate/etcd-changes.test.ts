import { expect, test } from 'vitest';
import { type PlacedEtcd, validateEtcdChanges } from './etcd-changes.ts';

const placed = (name: string, members: Readonly<Record<string, string>>): PlacedEtcd => ({
  name,
  etcdMembers: Object.entries(members).map(([member, instanceGroup]) => ({ name: member, instanceGroup })),
});
const pathsOf = (applied: readonly PlacedEtcd[], wanted: readonly PlacedEtcd[]): readonly string[] =>
  [...validateEtcdChanges(applied, wanted)].map(({ path }) => path);

const APPLIED = [placed('main', { a: 'cp-a', b: 'cp-b', c: 'cp-c' }), placed('events', { a: 'cp-a' })];

test('an etcd cluster that holds data is not taken out', () => {
  expect([...validateEtcdChanges(APPLIED, APPLIED.slice(0, 1))]).toEqual([
    {
      path: 'spec.etcdClusters',
      message: expect.stringContaining('etcd cluster events holds data'),
      hint: 'list events again',
    },
  ]);
});

test('a member does not move to another group', () => {
  const moved = [placed('events', { a: 'cp-a' }), placed('main', { b: 'cp-b', a: 'cp-c', c: 'cp-c' })];
  expect(pathsOf(APPLIED, moved)).toEqual(['spec.etcdClusters[1].etcdMembers[1].instanceGroup']);
});

test.each([
  ['members come and go', [placed('main', { a: 'cp-a', d: 'cp-d' }), placed('events', { a: 'cp-a' })]],
  ['another etcd cluster is listed', [...APPLIED, placed('cilium', { a: 'cp-b' })]],
  ['only their order changes', APPLIED.toReversed()],
])('nothing is wrong where %s', (_what, wanted) => {
  expect(pathsOf(APPLIED, wanted)).toEqual([]);
});
