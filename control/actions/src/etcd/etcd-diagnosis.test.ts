import { expect, test } from 'vitest';
import type { MemberStatus } from '@kopsctl/state-store/etcd/member-status.ts';
import { diagnoseEtcd } from './etcd-diagnosis.ts';
import type { EtcdReport } from './etcd-report.ts';

const NOW_MS = Date.parse('2026-11-21T12:00:00Z');
const at = (minutesAgo: number) => new Date(NOW_MS - minutesAgo * 60_000).toISOString();
const LISTED = ['a', 'b', 'c'].map((name) => ({ id: name, name: `etcd-${name}` }));

function member(name: string, change: Partial<MemberStatus> = {}): MemberStatus {
  return {
    member: name,
    address: `10.0.0.${name}`,
    updatedAt: at(0),
    decision: 'nothing: serving',
    isLeader: name === 'a',
    wantedVersion: '3.4.23',
    etcd: {
      memberId: name,
      version: '3.4.23',
      leaderId: 'a',
      revision: 5,
      dbSizeBytes: 1000,
      alarms: [],
      isLearner: false,
    },
    members: LISTED,
    ...change,
  };
}

const backup = (minutesAgo: number, ok?: boolean) => ({
  name: `backup-${minutesAgo}`,
  takenMs: NOW_MS - minutesAgo * 60_000,
  storedBytes: 1,
  isEncrypted: false,
  meta: { etcdVersion: '3.4.23', timestamp: 0, clusterSpec: { memberCount: 3, etcdVersion: '3.4.23' } },
  ...(ok !== undefined && { verified: { ok, at: at(0), by: 'a', durationMs: 1, failure: 'torn' } }),
});

const WELL: EtcdReport = {
  name: 'main',
  members: ['a', 'b', 'c'].map((name) => member(name)),
  backups: 2,
  newestBackup: backup(5),
  newestVerified: backup(50, true),
  pending: [],
};
const gone = { updatedAt: at(30) };
const { etcd: _, members: __, ...silentEtcd } = member('b');
const withoutEtcd = (name: string): MemberStatus => ({ ...silentEtcd, member: name, decision: 'wait: for a leader' });

test('Nothing is found where all is well', () => {
  expect(diagnoseEtcd(WELL, NOW_MS)).toEqual([]);
});

test('A lost quorum is explained, with who must come back, and the backup to go back to', () => {
  const members = [
    member('a', { etcd: { ...etcdOf('a'), leaderId: undefined } as never }),
    member('b', gone),
    member('c', gone),
  ];
  const [finding] = diagnoseEtcd({ ...WELL, members }, NOW_MS);
  expect(finding).toEqual({
    level: 'error',
    what:
      'etcd main has lost its quorum: 2 of its 3 members must answer, and only a does; ' +
      'nothing can be written, and the API does not answer',
    next:
      'bring back 1 of b, c (their machines, or etcd on them); if they are gone for good, go back to ' +
      '2026-11-21T11:10:00.000Z: `kopsctl etcd restore-backup backup-50 --etcd-cluster main`',
  });
});

function etcdOf(name: string) {
  const { etcd } = member(name);
  if (etcd === undefined) throw new Error('it has one');
  return etcd;
}

test.each<[string, Partial<EtcdReport>, string]>([
  ['one member less is no loss of quorum', { members: [member('a'), member('b'), member('c', gone)] }, 'last heard at'],
  ['an etcd that does not answer', { members: [member('a'), member('b'), withoutEtcd('c')] }, 'does not answer'],
  [
    'an alarm',
    { members: [member('a', { etcd: { ...etcdOf('a'), alarms: ['NOSPACE'] } }), member('b'), member('c')] },
    'has raised NOSPACE',
  ],
  [
    'what the leader leaves to a person',
    { members: [member('a', { advice: { what: 'no majority agrees', next: 'restore' } }), member('b'), member('c')] },
    'etcd main: no majority agrees',
  ],
  [
    'a full database',
    { members: [member('a', { etcd: { ...etcdOf('a'), dbSizeBytes: 2e9 } }), member('b'), member('c')] },
    'fills 93 % of its quota',
  ],
  ['an old backup', { newestBackup: backup(60) }, '60 minutes old'],
  ['a broken backup', { newestBackup: backup(5, false) }, 'cannot be restored: torn'],
  ['an old verification', { newestVerified: backup(500, true) }, 'the last verified backup of main is backup-500'],
])('It finds %s', (___, change, what) => {
  const findings = diagnoseEtcd({ ...WELL, ...change }, NOW_MS);
  expect(findings).toHaveLength(1);
  expect(findings[0]?.what).toContain(what);
});

test('A cluster without backups and without managers is an error each', () => {
  const { newestBackup: ___, newestVerified: ____, ...bare } = WELL;
  const findings = diagnoseEtcd({ ...bare, members: [] }, NOW_MS);
  expect(findings.map(({ level }) => level)).toEqual(['error', 'error']);
});

test('Data of etcd 2 is not a lost quorum: nobody is sent to an old backup', () => {
  const holder = (name: string, change: Partial<MemberStatus> = {}): MemberStatus => ({
    ...withoutEtcd(name),
    holdsEtcd2: true,
    ...change,
  });
  const found = (change: Partial<EtcdReport>) => {
    const members = ['a', 'b', 'c'].map((name) => holder(name));
    return diagnoseEtcd({ ...WELL, members, ...change }, NOW_MS)[0];
  };
  const what = 'the data of a, b, c of etcd main is from etcd 2: no etcd runs on it until it has been taken over';
  expect(found({})).toEqual({ level: 'error', what, next: 'nothing: its managers do that by themselves' });
  expect(found({ members: [holder('a'), member('b', gone)] })?.next).toContain(
    'once most members are there (not seen: b)',
  );
  expect(found({ members: [holder('a', { wantedVersion: '3.5.16' })] })?.next).toContain('to 3.4 and apply');
  const restore = {
    id: 'R',
    reason: '',
    etcdVersion: '3.4.23',
    token: 'T',
    since: at(5),
    members: [],
    acknowledged: [],
    takesOverEtcd2: true,
    phase: 'failed',
    failure: 'saving: a: no space',
  } as const;
  expect(found({ restore })?.what).toBe(`${what}, which has failed: saving: a: no space`);
});

test('a restore whose etcd has not come to serve for long can be given up for another one', () => {
  const restore = {
    id: 'R',
    reason: '',
    etcdVersion: '3.5.30',
    token: 'T',
    members: ['a', 'b', 'c'],
    acknowledged: ['a'],
    phase: 'starting',
  } as const;
  const next = (since: string) => diagnoseEtcd({ ...WELL, restore: { ...restore, since } }, NOW_MS)[0]?.next;
  expect(next(at(2))).toContain('wait');
  expect(next(at(12))).toBe(
    'bring back the machines of b, c; if too few of them are left, restore a backup again: `kopsctl etcd restore-backup BACKUP --etcd-cluster main`, which gives this restore up',
  );
});
