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
  nowMs: 0,
  defragmentedMs: new Map(),
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
const compacted = { revision: 500, atMs: 0 };
const both = new Map([
  ['a', 0],
  ['b', 0],
]);
const MINUTE_MS = 60_000;

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
    { ...full, compacted, isComplete: false },
    'defragment: defragment b (2048 MiB) to make room',
  ],
  [
    'Then the alarm is lifted',
    { ...full, databases: healthy.databases, compacted, defragmentedMs: both },
    'disarm: lift the NOSPACE alarm: the database has shrunk to 200 MiB',
  ],
  [
    'An alarm of a removed member is lifted',
    { alarms: [{ memberId: 'id-x', alarm: 'NOSPACE' }] },
    'disarm: lift the NOSPACE alarm of a member that was removed',
  ],
])('%s', (_title, change, decision) => {
  expect(decide(change)).toBe(decision);
});

test.each([undefined, 'id-a', 'id-x'])('CORRUPT is never lifted here, whoever is meant (%s)', (memberId) => {
  const corrupt = { alarm: 'CORRUPT' as const, ...(memberId !== undefined && { memberId }) };
  const nothing = 'wait: etcd reports CORRUPT: nothing is changed until the data of the members has been compared';
  expect(decide({ alarms: [corrupt], databases: fragmented })).toBe(nothing);
  expect(decide({ ...full, alarms: [...full.alarms, corrupt] })).toBe(nothing);
});

test('A database that stays full tells a person what to do', () => {
  const databases = [database('a', 2048, 2040, true), database('b', 2048, 2040)];
  const step = decide({ ...full, databases, compacted, defragmentedMs: both });
  expect(step).toMatch(/^wait: the database still has 2048 MiB of its quota of 2048 MiB: delete objects/);
});

test('As objects are deleted, the database is compacted and defragmented again, and the alarm is lifted', () => {
  const used = (mibInUse: number, sizeMib = 2048) => [
    database('a', sizeMib, mibInUse, true),
    database('b', sizeMib, mibInUse),
  ];
  const after = (minutes: number, change: Partial<ObservedCare>): string =>
    decide({ ...full, compacted, defragmentedMs: both, nowMs: minutes * MINUTE_MS, ...change });
  // A person deletes objects, which etcd accepts although it refuses to write any.
  expect(after(0.5, { databases: used(2040), revision: 900 })).toMatch(/^wait: /);
  expect(after(1, { databases: used(2040), revision: 900 })).toBe(
    'compact: discard the revisions before 900: objects were deleted or leases have expired since the last time',
  );
  const again = { compacted: { revision: 900, atMs: MINUTE_MS }, revision: 900 };
  expect(after(1, { databases: used(300), ...again })).toBe('defragment: defragment b (2048 MiB) to make room');
  const shrunk = new Map([...both, ['b', MINUTE_MS]]);
  expect(after(1, { databases: used(300), ...again, defragmentedMs: shrunk })).toMatch(/^defragment: defragment a /);
  const done = new Map([...both.keys()].map((member) => [member, MINUTE_MS]));
  expect(after(1, { databases: used(300, 310), ...again, defragmentedMs: done })).toBe(
    'disarm: lift the NOSPACE alarm: the database has shrunk to 310 MiB',
  );
});

test('What API servers have compacted themselves is noticed by the room that there is to gain', () => {
  const databases = [database('a', 2048, 2040, true), database('b', 2048, 900)];
  const seen = { ...full, databases, compacted, defragmentedMs: both };
  expect(decide({ ...seen, nowMs: 0.9 * MINUTE_MS })).toMatch(/^wait: /);
  expect(decide({ ...seen, nowMs: MINUTE_MS })).toBe('defragment: defragment b (2048 MiB) to make room');
});

test('A full database is not defragmented again and again where nothing is to be gained', () => {
  const databases = [database('a', 2048, 2040, true), database('b', 2048, 2040)];
  const step = { ...full, databases, compacted: { revision: 900, atMs: 0 }, defragmentedMs: both, revision: 900 };
  for (let minutes = 0; minutes < 120; minutes += 1) {
    expect(decide({ ...step, nowMs: minutes * MINUTE_MS })).toMatch(/^wait: /);
  }
});

test('etcd 3.3, which does not say how much is in use, is defragmented once after each compaction', () => {
  const { inUseBytes: _, ...a } = database('a', 2048, 0, true);
  const seen = { ...full, databases: [a], compacted: { revision: 900, atMs: 7 }, revision: 900, nowMs: 8 };
  expect(decide({ ...seen, defragmentedMs: new Map([['a', 3]]) })).toMatch(/^defragment: defragment a/);
  expect(decide({ ...seen, defragmentedMs: new Map([['a', 8]]) })).toMatch(/^wait: /);
});
