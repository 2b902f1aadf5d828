import { expect, test } from 'vitest';
import { planCare, type DatabaseView, type ObservedCare } from './plan-care.ts';

const MIB = 1024 * 1024;

function database(member: string, sizeMib: number, inUseMib: number, isLeader = false): DatabaseView {
  return { id: `id-${member}`, member, isLeader, sizeBytes: sizeMib * MIB, inUseBytes: inUseMib * MIB };
}

const healthy: ObservedCare = {
  databases: [database('a', 200, 190, true), database('b', 200, 190)],
  isComplete: true,
  memberIds: ['id-a', 'id-b'],
  alarms: [],
  quotaBytes: 2048 * MIB,
  revision: 500,
  defragmented: [],
};
const decide = (change: Partial<ObservedCare>): string => {
  const { action, summary } = planCare({ ...healthy, ...change });
  return `${action}: ${summary}`;
};
const fragmented = [database('a', 400, 100, true), database('b', 400, 100)];
const full = {
  alarms: [{ memberId: 'id-a', alarm: 'NOSPACE' as const }],
  databases: [database('a', 2048, 500, true), database('b', 2048, 500)],
};

test.each<[string, Partial<ObservedCare>, string]>([
  ['Databases in use are left alone', {}, 'nothing: the databases are in order'],
  ['Small ones too, however empty', { databases: [database('a', 90, 1)] }, 'nothing: the databases are in order'],
  [
    'The leader is defragmented last',
    { databases: fragmented },
    'defragment: defragment b: 100 MiB of 400 MiB are in use',
  ],
  ['Not while a member is away', { databases: fragmented, isComplete: false }, 'wait: wait for all members to answer'],
  [
    'An alarm begins with a compaction',
    full,
    'compact: forget the revisions before 500: the database has reached its quota of 2048 MiB',
  ],
  [
    'then every member is defragmented, also while one is away',
    { ...full, compactedRevision: 500, isComplete: false },
    'defragment: defragment b (2048 MiB) to make room',
  ],
  [
    'then it is lifted',
    { ...full, databases: healthy.databases, compactedRevision: 500, defragmented: ['a', 'b'] },
    'disarm: lift NOSPACE: the database has shrunk to 200 MiB',
  ],
  [
    'An alarm of a member that was removed is lifted',
    { alarms: [{ memberId: 'id-x', alarm: 'CORRUPT' }] },
    'disarm: lift CORRUPT of a member that is no more',
  ],
])('%s', (_title, change, decision) => {
  expect(decide(change)).toBe(decision);
});

test('A database that stays full says what a person can do', () => {
  const step = decide({ ...full, compactedRevision: 500, defragmented: ['a', 'b'] });
  expect(step).toMatch(/^wait: the database stays at 2048 MiB of 2048 MiB: raise the quota/);
});
