import type { MemberStatus } from '@kopsctl/state-store/etcd/member-status.ts';
import { expect, test } from 'vitest';
import { type ClusterHealth, clusterFaults } from './cluster-faults.ts';

const NOW_MS = 600_000;
const ETCD: MemberStatus['etcd'] = {
  memberId: '1',
  leaderId: '1',
  version: '3.5.30',
  revision: 1,
  dbSizeBytes: 20480,
  alarms: [],
  isLearner: false,
};
const STATUS: MemberStatus = {
  member: 'a',
  address: '10.0.0.1',
  updatedAt: '',
  isLeader: true,
  wantedVersion: '3.5.30',
  decision: 'nothing: serving',
  etcd: ETCD,
};
const WELL: ClusterHealth = { status: STATUS, publishedMs: NOW_MS - 30_000, failures: new Map() };
const { etcd: _, ...SILENT } = STATUS;

test.each<[string, Partial<ClusterHealth>, readonly string[]]>([
  ['a member that serves', {}, []],
  ['no volume', { status: undefined, publishedMs: undefined }, ['no volume with its member was found']],
  ['an etcd that does not answer', { status: { ...SILENT, decision: 'wait: for others' } }, ['wait: for others']],
  ['alarms', { status: { ...STATUS, etcd: { ...ETCD, alarms: ['NOSPACE'] } } }, ['NOSPACE']],
  ['a problem', { status: { ...STATUS, problem: 'the disk accepts no writes' } }, ['the disk accepts no writes']],
  ['no status in the store', { publishedMs: undefined }, ['the store has no status of this machine yet']],
  ['a status of two minutes ago', { publishedMs: NOW_MS - 120_000 }, []],
  ['an older one', { publishedMs: NOW_MS - 121_000 }, ['the last status in the store is 121 s old']],
  ['a loop that fails', { failures: new Map([['backup', 'no room']]) }, ['backup: no room']],
])('the faults with %s', (_title, health, faults) => {
  expect(clusterFaults({ ...WELL, ...health }, NOW_MS)).toEqual(faults);
});
