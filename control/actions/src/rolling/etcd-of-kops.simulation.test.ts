import { publishStatus, readStatuses } from '@kopsctl/state-store/etcd/member-status.ts';
import { expect, test } from 'vitest';
import { runSimulated } from './testing/run-simulated.ts';
import { SimulatedCluster, type Simulation } from './testing/simulated-cluster.ts';

const ADOPTED: Simulation = {
  groups: [
    { name: 'cp-a', role: 'ControlPlane', count: 1 },
    { name: 'cp-b', role: 'ControlPlane', count: 1 },
    { name: 'cp-c', role: 'ControlPlane', count: 1 },
    { name: 'nodes', role: 'Node', count: 1 },
  ],
  isOfKops: true,
};
const IN_ONE_GROUP: Simulation = {
  groups: [
    { name: 'control-plane', role: 'ControlPlane', count: 3 },
    { name: 'nodes', role: 'Node', count: 1 },
  ],
  isOfKops: true,
};
const NOT_READY = { status: { conditions: [{ type: 'Ready', status: 'False' }] } };
const MAIN = 'demo/backups/etcd/main';

async function booted(simulation: Simulation): Promise<SimulatedCluster> {
  const cluster = new SimulatedCluster(simulation);
  await cluster.boot();
  return cluster;
}

test.each([
  ['each in a group of its own', ADOPTED],
  ['whose machines their groups make', { ...ADOPTED, hasGroups: true }],
  ['whose machines keep their names', { ...ADOPTED, hasGroups: true, keepsNames: true }],
  ['all in one group', IN_ONE_GROUP],
])('three control planes of kops are replaced one after the other (%s)', async (_how, simulation) => {
  const cluster = await booted(simulation);
  expect(await readStatuses(cluster.store, MAIN)).toEqual([]);
  let most = 0;
  const roll = await runSimulated(cluster, {
    onLook: () => {
      const groups = simulation.groups.filter(({ role }) => role === 'ControlPlane');
      most = Math.max(
        most,
        groups.reduce((sum, { name }) => sum + cluster.unavailable(name), 0),
      );
    },
  });
  expect(roll.state).toBe('done');
  expect(cluster.machines.every(({ isCurrent }) => isCurrent)).toBe(true);
  expect(most).toBe(1);
});

test.each([
  ['no manager has written its status', 0],
  ['one of kopsctl has', 1],
])('no control plane of kops goes while the Node of another one is not Ready (%s)', async (_what, current) => {
  const [first, ...others] = ADOPTED.groups;
  const cluster = await booted({ ...ADOPTED, groups: [{ ...first!, current }, ...others] });
  const ids = () => cluster.machines.filter(({ role }) => role === 'ControlPlane').map(({ id }) => id);
  const before = ids();
  cluster.changeNode('cp-c-1', NOT_READY);
  // A member that is away has to be replaced before others, and here people take only the others' machines.
  const roll = await runSimulated(cluster, {
    machines: ['cp-a-1', 'cp-b-1'],
    wishes: { validationTimeoutMs: 60_000, failOnValidateError: false },
  });
  expect(roll.state).toBe('failed');
  expect(roll.blocked?.why).toBe('etcd main would lose its quorum: of its 3 members, cp-c-1 does not serve');
  expect(ids()).toEqual(before);
});

test('of members in one group, the machine that is away is named', async () => {
  const cluster = await booted(IN_ONE_GROUP);
  cluster.changeNode('control-plane-2', NOT_READY);
  const roll = await runSimulated(cluster, {
    machines: ['control-plane-1'],
    wishes: { validationTimeoutMs: 60_000, failOnValidateError: false },
  });
  expect(roll.blocked?.why).toBe('etcd main would lose its quorum: of its 3 members, control-plane-2 does not serve');
});

test('no control plane of kops goes while the API server of another one does not reach etcd', async () => {
  const cluster = await booted(ADOPTED);
  cluster.unreadyPods.add('kube-apiserver-cp-c-1');
  const roll = await runSimulated(cluster, {
    machines: ['cp-a-1'],
    wishes: { validationTimeoutMs: 60_000, failOnValidateError: false },
  });
  expect(roll.blocked?.why).toBe('etcd main would lose its quorum: of its 3 members, cp-c-1 does not serve');
});

test('a machine that took a member over from kops has to serve it before another one goes', async () => {
  const cluster = await booted(ADOPTED);
  // Its Node is Ready, its manager never gets that far.
  cluster.muted = 'cp-a';
  const roll = await runSimulated(cluster, { wishes: { validationTimeoutMs: 60_000 } });
  expect(roll.state).toBe('failed');
  expect(roll.turns.find(({ name }) => name === 'cp-a-1')?.failure).toContain(
    'the member cp-a-1 of etcd main does not serve yet',
  );
  expect(cluster.configs('ControlPlane')).toEqual(expect.arrayContaining([1, 1]));
});

test('control planes of kops serve their members also where the adoption has changed no template yet', async () => {
  const cluster = await booted(ADOPTED);
  cluster.applied.set('ControlPlane', 1);
  const before = cluster.machines.map(({ id }) => id);
  const roll = await runSimulated(cluster, { force: true, machines: ['cp-a-1'] });
  expect(roll.state).toBe('done');
  expect(cluster.machines.map(({ id }) => id)).not.toContain(before[0]);
});

test('what a manager of kopsctl wrote before the cluster was given back to kops says nothing of the member now', async () => {
  const cluster = await booted(ADOPTED);
  for (const { name: member } of cluster.etcds.flatMap(({ members }) => members)) {
    await publishStatus(cluster.store, MAIN, {
      member,
      address: '10.0.9.9',
      updatedAt: '2029-01-01T00:00:00Z',
      decision: 'nothing: serving',
      isLeader: false,
      wantedVersion: '3.6.0',
    });
  }
  expect((await runSimulated(cluster)).state).toBe('done');
});
