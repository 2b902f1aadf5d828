import { testStories } from '@kopsctl/testing/text-story.ts';
import { expect, test } from 'vitest';
import { RESTORE_PHASES, type RestoreRecord } from '@kopsctl/state-store/etcd/restore-record.ts';
import { gateOf, planRestore } from './plan-restore.ts';
import type { ObservedRestore } from './restore-step.ts';

/**
 * Replays the stories in testdata/: each line changes what machine a sees, `plan` decides, and the text below `----`
 * is the decision.
 */
const FOLDER = new URL('testdata/', import.meta.url);
const START_MS = Date.parse('2026-11-21T12:00:00Z');

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
type World = Mutable<Omit<ObservedRestore, 'record'>> & { record: Mutable<RestoreRecord> };

function emptyWorld(): World {
  return {
    record: {
      id: 'R',
      reason: 'restoring B',
      etcdVersion: '3.4.23',
      token: 'T',
      phase: 'gathering',
      since: new Date(START_MS).toISOString(),
      members: [],
      acknowledged: [],
    },
    member: 'a',
    wanted: ['a', 'b', 'c'],
    isLeader: true,
    nowMs: START_MS,
    phaseForMs: 0,
    endingForMs: {},
    apiServerHold: 'none',
    runningApiServers: [],
    apiServerEnded: false,
    etcdRuns: false,
    othersServe: false,
    hasData: false,
    isPreparing: false,
    isFetched: false,
    hasRoom: true,
    hasFolder: false,
    hasOldData: false,
    markerToken: 'old',
  };
}

const list = (text = ''): string[] => text.split(',').filter((part) => part !== '');
const UNIT_MS: Readonly<Record<string, number>> = { s: 1000, m: 60_000 };

/** The commands of the stories, in which machine a decides. */
const CHANGES: Readonly<Record<string, (world: World, ...args: string[]) => unknown>> = {
  // A phase begins now, and no member has done its part yet.
  record: (world, name) => {
    const phase = RESTORE_PHASES.find((one) => one === name);
    if (phase === undefined) throw new Error(`there is no phase ${name}`);
    Object.assign(world.record, { phase, since: new Date(world.nowMs).toISOString(), acknowledged: [] });
    world.phaseForMs = 0;
  },
  members: (world, members) => (world.record.members = list(members)),
  acknowledged: (world, members) => (world.record.acknowledged = list(members)),
  backup: (world, backup, revision) => Object.assign(world.record, { backup, revision: Number(revision) }),
  marker: (world, token = '') => (world.markerToken = token),
  held: (world) => (world.apiServerHold = 'held'),
  'manifest-written-again': (world) => (world.apiServerHold = 'undone'),
  // The API server of a machine without etcd, as that machine reports it.
  elsewhere: (world, machine = '', state) => {
    const { [machine]: _ended, ...endingForMs } = world.endingForMs;
    world.record.apiServers = { ...world.record.apiServers, [machine]: state === 'ended' ? 'ended' : 'ending' };
    world.endingForMs = state === 'ended' ? endingForMs : { ...endingForMs, [machine]: 0 };
  },
  'known-to-run': (world, addresses) => (world.record.runningApiServers = list(addresses)),
  'running-api-servers': (world, addresses) =>
    (world.runningApiServers = addresses === 'unknown' ? undefined : list(addresses)),
  released: (world) => (world.apiServerHold = 'none'),
  ended: (world) => (world.apiServerEnded = true),
  'etcd-runs': (world) => (world.etcdRuns = true),
  // The etcd of another member sees a leader.
  'others-serve': (world) => (world.othersServe = true),
  'etcd-stopped': (world) => {
    world.etcdRuns = false;
    delete world.etcd;
  },
  etcd: (world, revision, leader) => {
    world.etcdRuns = true;
    world.etcd = { revision: Number(revision), hasLeader: leader !== 'none', leads: leader === 'leads' };
  },
  data: (world) => Object.assign(world, { hasFolder: true, hasData: true, isPreparing: false, isFetched: false }),
  // etcd starts to join the restored cluster.
  folder: (world) => (world.hasFolder = true),
  fetched: (world) => (world.isFetched = true),
  preparing: (world) => (world.isPreparing = true),
  'no-room': (world) => (world.hasRoom = false),
  'no-data': (world) => (world.hasData = false),
  'old-data': (world) => (world.hasOldData = true),
  'no-old-data': (world) => (world.hasOldData = false),
  // member:revision of the etcds when they stopped, as the record has it.
  stopped: (world, ...members) => {
    const entries = members.map((entry) => entry.split(':'));
    const data = (revision = '') => ({ token: 'old', revision: Number(revision), at: world.record.since });
    world.record.stopped = Object.fromEntries(entries.map(([name = '', revision]) => [name, data(revision)]));
  },
  // The restore was begun to convert data of etcd 2.
  takeover: (world) => (world.record.takesOverEtcd2 = true),
  // member:term:index[:token] of the etcd 2 logs that members have reported.
  logs: (world, ...members) => {
    const entries = members.map((entry) => entry.split(':'));
    world.record.stopped = Object.fromEntries(
      entries.map(([name = '', term, index, token]) => [
        name,
        { ...etcd2Data(world, term, index), ...(token !== undefined && { token }) },
      ]),
    );
  },
  'log-left-behind': (world, term, index) => (world.stopped = etcd2Data(world, term, index)),
  // The revision of the local etcd when it stopped, as the volume has it.
  'left-behind': (world, revision) =>
    (world.stopped = { token: 'old', revision: Number(revision), at: world.record.since }),
  'nothing-left-behind': (world) => delete world.stopped,
  'not-kept': (world, member = '', ...words) => {
    world.record.notKept = { ...world.record.notKept, [member]: words.join(' ') };
    world.phaseForMs = 0;
  },
  // The backup that `saving` made, and its revision.
  saved: (world, safetyBackup, revision) =>
    Object.assign(world.record, { safetyBackup, ...(revision !== undefined && { safetyRevision: Number(revision) }) }),
  kept: (world, backup = '') => (world.kept = backup),
  follower: (world) => (world.isLeader = false),
  leader: (world) => (world.isLeader = true),
  failure: (world, ...words) => (world.failure = words.join(' ')),
  advance: (world, text = '') => {
    const ms = Number(text.slice(0, -1)) * (UNIT_MS[text.slice(-1)] ?? Number.NaN);
    world.phaseForMs += ms;
    world.endingForMs = Object.fromEntries(Object.entries(world.endingForMs).map(([name, was]) => [name, was + ms]));
  },
  // The wall clock is changed, here or on the machine where the phase began.
  clock: (world, hours = '') => (world.nowMs += Number(hours) * 60 * 60_000),
};

function etcd2Data(world: World, term = '', index = '') {
  const etcd2 = { term: Number(term), index: Number(index) };
  return { token: 'old', revision: 0, at: world.record.since, etcd2 };
}

function print(world: World): string {
  const step = planRestore(world);
  const lines = [`${step.action}: ${step.summary}`];
  if (step.action === 'write' || step.action === 'begin') {
    const { phase, acknowledged, members, lastRevision, stopped = {}, notKept = {} } = step.record;
    lines.push(`  ${phase}, of ${members.join(',') || '?'} done: ${acknowledged.join(',') || 'none'}`);
    if (lastRevision !== undefined) lines.push(`  seen so far: ${lastRevision}`);
    const had = Object.entries(stopped).map(([member, { revision, etcd2 }]) =>
      etcd2 === undefined ? `${member}:${revision}` : `${member}:term ${etcd2.term}, index ${etcd2.index}`,
    );
    if (had.length > 0) lines.push(`  stopped at: ${had.join(' ')}`);
    if (Object.keys(notKept).length > 0) lines.push(`  not kept by: ${Object.keys(notKept).join(',')}`);
  }
  lines.push(`  etcd here: ${gateOf(world.record, world.member)}`);
  return lines.join('\n');
}

testStories(FOLDER, { begin: emptyWorld, changes: CHANGES, plan: print });

test('a machine that does not lead never begins, ends or switches over', () => {
  for (const phase of RESTORE_PHASES) {
    const world = emptyWorld();
    Object.assign(world, { isLeader: false, apiServerHold: 'held', apiServerEnded: true, hasData: true });
    Object.assign(world.record, { phase, members: ['a', 'b'], acknowledged: ['a', 'b'], revision: 1, backup: 'B' });
    const step = planRestore(world);
    const next = step.action === 'write' ? step.record.phase : phase;
    expect({ phase, next }).toEqual({ phase, next: phase });
    expect(['wait', 'nothing', 'release-api-server', 'discard-data', 'write', 'keep']).toContain(step.action);
  }
});
