import { makeLog } from '@kopsctl/agent/log.ts';
import { writeRestore, type RestorePhase } from '@kopsctl/state-store/etcd/restore-record.ts';
import { createMemoryStore } from '@kopsctl/state-store/memory.ts';
import { expect, test } from 'vitest';
import { lookAfterMember, memberMemory } from './reconcile-cluster.ts';
import { CREATED, printMarker, startedPath } from './store/layout.ts';
import type { EtcdUnit } from './units/unit-runner.ts';

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

/** Starts the etcd of a machine that has the restored data, while the restore is in this phase. */
async function startedIn(phase: RestorePhase): Promise<EtcdUnit | undefined> {
  const store = createMemoryStore();
  const { signal } = new AbortController();
  const marker = Buffer.from(printMarker({ token: 'T', members: CONFIG.members }, 1));
  await store.write(`${FOLDER}/${CREATED}`, marker, { ifAbsent: true });
  const restored = Buffer.from('{"restored":"command"}');
  await store.write(`${FOLDER}/${startedPath('T', 'a')}`, restored, { ifAbsent: true });
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
  const machine = {
    nowMs: () => 0,
    member: () => Promise.resolve({ member: 'a', members: CONFIG.members, volumeId: 'vol-1' }),
    tokensWithLog: () => Promise.resolve(['T']),
    etcd2Tokens: () => Promise.resolve([]),
    firstStart: () => Promise.resolve(undefined),
    clusterId: () => Promise.resolve(undefined),
    dataVersion: () => Promise.resolve('3.5.30'),
    unit: () => Promise.resolve({ isRunning: false }),
    isNameKnown: () => Promise.resolve(true),
    askLocal: () => Promise.resolve(undefined),
    ask: () => Promise.resolve(undefined),
    keepFirstStart: () => Promise.reject(new Error('nothing starts for the first time here')),
    start: (_: string, unit: EtcdUnit) => {
      started = unit;
      return Promise.resolve();
    },
    setAside: () => Promise.reject(new Error('nothing is set aside here')),
    diskFault: () => Promise.resolve(undefined),
  };
  const log = makeLog(() => undefined, false, 'test');
  await lookAfterMember(CONFIG, memberMemory(log), { address: 'a', store, log, machine }, signal);
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
