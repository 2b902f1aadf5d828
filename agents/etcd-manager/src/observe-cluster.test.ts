import { publishStatus } from '@kopsctl/state-store/etcd/member-status.ts';
import { createMemoryStore } from '@kopsctl/state-store/memory.ts';
import { expect, test } from 'vitest';
import { observeCluster } from './observe-cluster.ts';
import { CREATED, printMarker, startedPath } from './store/layout.ts';

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
const MACHINE = {
  nowMs: () => 0,
  member: () => Promise.resolve({ member: 'a', members: CONFIG.members, volumeId: 'vol-1' }),
  tokensWithLog: () => Promise.resolve([]),
  etcd2Tokens: () => Promise.resolve([]),
  firstStart: () => Promise.resolve(undefined),
  clusterId: () => Promise.resolve(undefined),
  dataVersion: () => Promise.resolve(undefined),
  unit: () => Promise.resolve({ isRunning: false }),
  isNameKnown: () => Promise.resolve(true),
  askLocal: () => Promise.resolve(undefined),
  ask: () => Promise.resolve(undefined),
  keepFirstStart: () => Promise.reject(new Error('nothing starts here')),
  start: () => Promise.reject(new Error('nothing starts here')),
  setAside: () => Promise.reject(new Error('nothing is set aside here')),
  diskFault: () => Promise.resolve(undefined),
};

async function observed(started: readonly (readonly [token: string, member: string])[]) {
  const store = createMemoryStore();
  const marker = Buffer.from(printMarker({ token: 'N', members: CONFIG.members }, 1));
  const { version } = await store.write(`${FOLDER}/${CREATED}`, marker, { ifAbsent: true });
  for (const [token, member] of started) {
    await store.write(`${FOLDER}/${startedPath(token, member)}`, Buffer.from('{}'), { ifAbsent: true });
  }
  const env = { store, machine: MACHINE };
  return { version, ...(await observeCluster(CONFIG, () => 'unit', {}, env, new AbortController().signal)) };
}

test('a marker is that of the cluster until a member has started in another', async () => {
  expect(await observed([])).toMatchObject({ marker: { token: 'N' } });
  expect(await observed([['N', 'b']])).toMatchObject({ marker: { token: 'N' } });
});

test('a marker of a cluster in which nobody has started, while members have in another, is not that of the cluster', async () => {
  const { version, ...found } = await observed([['T', 'b']]);
  expect(found).toMatchObject({ markerFault: { tornVersion: version, isStale: true }, hasHistory: true });
  expect(found).not.toHaveProperty('marker');
});

test('a restored cluster, in which its members are recorded beside those of the one before, has its marker', async () => {
  expect(
    await observed([
      ['T', 'a'],
      ['N', 'a'],
    ]),
  ).toMatchObject({ marker: { token: 'N' }, hasServed: true });
});

test('a volume that goes away during a look is not a volume without data, for which a cluster would be formed', async () => {
  const volumes = [await MACHINE.member(), undefined];
  const machine = { ...MACHINE, member: () => Promise.resolve(volumes.shift()) };
  const env = { store: createMemoryStore(), machine };
  const found = await observeCluster(CONFIG, () => 'unit', {}, env, new AbortController().signal);
  expect(found).not.toHaveProperty('volume');
});

test('a machine that says its volume holds data is history too: kops records no first starts', async () => {
  const store = createMemoryStore();
  const look = () =>
    observeCluster(CONFIG, () => 'unit', {}, { store, machine: MACHINE }, new AbortController().signal);
  const updatedAt = '2026-06-15T12:00:00Z';
  const status = { member: 'b', address: '', updatedAt, decision: '', isLeader: false, wantedVersion: '' };
  await publishStatus(store, FOLDER, { ...status, hasData: false });
  expect(await look()).toMatchObject({ hasHistory: false });
  await publishStatus(store, FOLDER, { ...status, hasData: true });
  expect(await look()).toMatchObject({ hasHistory: true });
});

test('an etcd that serves the cluster with earlier settings is as healthy as any, and one of a cluster before is not', async () => {
  const store = createMemoryStore();
  const marker = Buffer.from(printMarker({ token: 'T', members: CONFIG.members }, 1));
  await store.write(`${FOLDER}/${CREATED}`, marker, { ifAbsent: true });
  const served = Buffer.from('{}');
  await store.write(`${FOLDER}/${startedPath('T', 'a')}`, served, { ifAbsent: true });
  const status = { clusterId: '1', memberId: 'a', leaderId: 'b', version: '3.4.23' };
  const look = (clusterId: string | undefined) => {
    const machine = {
      ...MACHINE,
      tokensWithLog: () => Promise.resolve(['T']),
      unit: () => Promise.resolve({ identity: 'unit of etcd 3.4', isRunning: true }),
      clusterId: () => Promise.resolve(clusterId),
      askLocal: () => Promise.resolve({ ...status, dbSizeBytes: 1, revision: 1, isLearner: false }),
    };
    return observeCluster(CONFIG, () => 'unit of etcd 3.5', {}, { store, machine }, new AbortController().signal);
  };
  expect(await look('1')).toMatchObject({ unit: 'outdated', etcd: { hasLeader: true } });
  expect(await look('2')).not.toHaveProperty('etcd');
  expect(await look(undefined)).not.toHaveProperty('etcd');
});

test('a first member that has never started waits no longer than a second for others, which may wait for it; one that has lost its disk does', async () => {
  const store = createMemoryStore();
  const marker = Buffer.from(printMarker({ token: 'T', members: CONFIG.members }, 1));
  await store.write(`${FOLDER}/${CREATED}`, marker, { ifAbsent: true });
  const begun = (member: string) =>
    store.write(`${FOLDER}/${startedPath('T', member)}`, Buffer.from('{}'), { ifAbsent: true });
  const asked: (number | undefined)[] = [];
  const machine = {
    ...MACHINE,
    ask: (_member: string, _signal: AbortSignal, withinMs?: number) => {
      asked.push(withinMs);
      return Promise.resolve(undefined);
    },
  };
  const look = () => observeCluster(CONFIG, () => 'unit', {}, { store, machine }, new AbortController().signal);
  await look();
  expect(asked).toEqual([]);
  await begun('b');
  await look();
  expect(asked.splice(0)).toEqual([1_000, 1_000]);
  await begun('a');
  await look();
  expect(asked).toEqual([undefined, undefined]);
});
