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
  ['A database that is mostly in use is left alone', {}, 'nothing: the databases are in order'],
  [
    'A small database is left alone, however empty',
    { databases: [database('a', 90, 1)] },
    'nothing: the databases are in order',
  ],
  [
    'The leader is defragmented last',
    { databases: fragmented },
    'defragment: defragment b: 100 MiB of 400 MiB are in use',
  ],
  [
    'Nothing is defragmented while a member does not answer',
    { databases: fragmented, isComplete: false },
    'wait: wait for all members to answer',
  ],
  [
    'An alarm begins with a compaction',
    full,
    'compact: discard the revisions before 500: the database has reached its quota of 2048 MiB',
  ],
  [
    'Then every member is defragmented, even if one does not answer',
    { ...full, compactedRevision: 500, isComplete: false },
    'defragment: defragment b (2048 MiB) to make room',
  ],
  [
    'Then the alarm is lifted',
    { ...full, databases: healthy.databases, compactedRevision: 500, defragmented: ['a', 'b'] },
    'disarm: lift the NOSPACE alarm: the database has shrunk to 200 MiB',
  ],
  [
    'An alarm of a removed member is lifted',
    { alarms: [{ memberId: 'id-x', alarm: 'CORRUPT' }] },
    'disarm: lift the CORRUPT alarm of a member that was removed',
  ],
])('%s', (_title, change, decision) => {
  expect(decide(change)).toBe(decision);
});

test('A database that stays full tells a person what to do', () => {
  const step = decide({ ...full, compactedRevision: 500, defragmented: ['a', 'b'] });
  expect(step).toMatch(/^wait: the database still has 2048 MiB of its quota of 2048 MiB: raise the quota/);
});
