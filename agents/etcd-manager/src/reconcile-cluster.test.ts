import { makeLog } from '@kopsctl/agent/log.ts';
import { writeRestore, type RestorePhase } from '@kopsctl/state-store/etcd/restore-record.ts';
import { createMemoryStore } from '@kopsctl/state-store/memory.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { expect, test } from 'vitest';
import type { OwnMachine } from './own-machine.ts';
import { OwnMember } from './own-member.ts';
import { lookAfterMember, memberMemory } from './reconcile-cluster.ts';
import { CREATED, printMarker, startedPath } from './store/layout.ts';
import type { EtcdUnit } from './units/unit-runner.ts';
import { readVersions, writeVersions } from './versions/version-record.ts';

const FOLDER = 'demo/backups/etcd/main';
const CONFIG = {
  name: 'main',
  mountPoint: '/mnt/a',
  members: ['a', 'b', 'c'],
  memberHost: 'etcd-<member>',
  clientPort: 4001,
  peerPort: 2380,
  etcdVersion: '3.5.30',
  binDir: '/opt/etcd',
  backupPath: FOLDER,
  peersCa: 'peers',
  clientsCa: 'clients',
  env: [],
};

const MACHINE: OwnMachine = {
  nowMs: () => 0,
  member: () => Promise.resolve({ member: 'a', members: CONFIG.members, volumeId: 'vol-1' }),
  tokensWithLog: () => Promise.resolve(['T']),
  etcd2Tokens: () => Promise.resolve([]),
  firstStart: () => Promise.resolve(undefined),
  clusterId: () => Promise.resolve('1'),
  dataVersion: () => Promise.resolve('3.5.30'),
  unit: () => Promise.resolve({ isRunning: false }),
  isNameKnown: () => Promise.resolve(true),
  askLocal: () => Promise.resolve(undefined),
  ask: () => Promise.resolve(undefined),
  keepFirstStart: () => Promise.reject(new Error('nothing starts for the first time here')),
  start: () => Promise.reject(new Error('nothing starts here')),
  setAside: () => Promise.reject(new Error('nothing is set aside here')),
  diskFault: () => Promise.resolve(undefined),
};
const { signal } = new AbortController();

/** A store in which the cluster T exists, and its member a has served. */
async function storeOfCluster(): Promise<StateStore> {
  const store = createMemoryStore();
  const marker = Buffer.from(printMarker({ token: 'T', members: CONFIG.members }, 1));
  await store.write(`${FOLDER}/${CREATED}`, marker, { ifAbsent: true });
  await store.write(`${FOLDER}/${startedPath('T', 'a')}`, Buffer.from('{}'), { ifAbsent: true });
  return store;
}

function look(store: StateStore, machine: OwnMachine, own = new OwnMember()): Promise<number | undefined> {
  const log = makeLog(() => undefined, false, 'test');
  return lookAfterMember(CONFIG, memberMemory(log), { address: 'a', store, log, machine, own }, signal);
}

/** Starts the etcd of a machine that has the restored data, while the restore is in this phase. */
async function startedIn(phase: RestorePhase): Promise<EtcdUnit | undefined> {
  const store = await storeOfCluster();
  const record = {
    id: 'command',
    reason: '',
    etcdVersion: '3.5.30',
    token: 'T',
    phase,
    since: 'now',
    acknowledged: [],
  };
  await writeRestore(store, FOLDER, { ...record, members: CONFIG.members }, undefined, signal);
  let started: EtcdUnit | undefined;
  const start = (_: string, unit: EtcdUnit): Promise<void> => {
    started = unit;
    return Promise.resolve();
  };
  await look(store, { ...MACHINE, start });
  return started;
}

const COMPARES = { ETCD_EXPERIMENTAL_INITIAL_CORRUPT_CHECK: 'true' };

test('an etcd that starts from a restored backup waits for no other to compare data with, and compares it ever after', async () => {
  const first = await startedIn('starting');
  expect(first).toMatchObject({ initial: { ETCD_INITIAL_CLUSTER_TOKEN: 'T' } });
  expect(first?.initial).not.toMatchObject(COMPARES);
  for (const phase of ['finishing', 'keeping', 'done'] as const) {
    expect(await startedIn(phase)).toMatchObject({ initial: COMPARES });
  }
});

test('an etcd of a version that this machine no longer has serves on, is healthy, and is looked at as seldom as any', async () => {
  const store = await storeOfCluster();
  const read = await readVersions(store, FOLDER, signal);
  await writeVersions(store, FOLDER, { a: '3.6.5' }, read, signal);
  const own = new OwnMember();
  const status = { clusterId: '1', memberId: 'a', version: '3.6.5', dbSizeBytes: 1, revision: 1, isLearner: false };
  const unit = () => Promise.resolve({ identity: 'etcd 3.6.5', isRunning: true });
  const askLocal = () => Promise.resolve({ ...status, leaderId: 'b' });
  expect(await look(store, { ...MACHINE, unit, askLocal }, own)).toBe(10_000);
  expect(own.isWell(0)).toBe(true);
  expect(await look(store, { ...MACHINE, unit }, own)).toBe(300);
  expect(own.isWell(0)).toBe(false);
});
