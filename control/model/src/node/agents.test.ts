import { localModelCloud } from '@kopsctl/clouds/local/control/model/model-cloud.ts';
import { expect, test } from 'vitest';
import { ASSETS } from '../testdata/asset-index.ts';
import { completedCluster } from '../testdata/clusters.ts';
import { buildNodePlan } from './node-plan.ts';

test("the control plane applies the built-in channel first, then the user's in the spec's order", () => {
  const addons = [{ manifest: 's3://mine/channel.yaml' }, { manifest: 'addons/more.yaml' }];
  const { cluster, instanceGroups } = completedCluster({ spec: { addons } });
  const [controlPlane, worker] = instanceGroups.map((instanceGroup) =>
    JSON.stringify(
      buildNodePlan({ cloud: localModelCloud, cluster, instanceGroup, nodeStoreUrl: 'http://state' }, ASSETS, [
        'http://assets',
      ]).tasks,
    ),
  );
  const order = ['addons/bootstrap-channel.yaml', 's3://mine/channel.yaml', 'addons/more.yaml'];
  const places = order.map((channel) => controlPlane?.indexOf(channel) ?? -1);
  expect(places.every((place) => place > 0)).toBe(true);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(worker).not.toContain('channel.yaml');
});

test.each([
  ['the list of volumes', 'demo.local.test'],
  ['gossip', 'demo.k8s.local'],
])('an API server on a machine of its own is told the names of etcd members, which it learns from %s', (_, name) => {
  const { cluster, instanceGroups } = completedCluster({ name, nodes: { role: 'APIServer' } });
  const [, apiServer] = instanceGroups.map((instanceGroup) =>
    JSON.stringify(
      buildNodePlan({ cloud: localModelCloud, cluster, instanceGroup, nodeStoreUrl: 'http://state' }, ASSETS, [
        'http://assets',
      ]).tasks,
    ),
  );
  expect(apiServer).toContain(`--etcd-servers=https://etcd-a.internal.${name}:4001`);
  for (const member of ['etcd-<member>', 'etcd-events-<member>'])
    expect(apiServer).toContain(`${member}.internal.${name}`);
});

test("Cilium's etcd has the name by which machines reach the API, and control planes alone have a certificate for its clients", () => {
  const members = [{ name: 'a', instanceGroup: 'control-plane' }];
  const etcdClusters = ['main', 'cilium'].map((name) => ({ name, etcdMembers: members }));
  const networking = { cilium: { etcdManaged: true } };
  const { cluster, instanceGroups } = completedCluster({ spec: { etcdClusters, networking } });
  const [controlPlane, worker] = instanceGroups.map(
    (instanceGroup) =>
      buildNodePlan({ cloud: localModelCloud, cluster, instanceGroup, nodeStoreUrl: 'http://state' }, ASSETS, [
        'http://assets',
      ]).tasks,
  );
  const config = controlPlane?.find(
    ({ name }) => name === '/etc/kops/etcd-manager.json' || name === 'etc/kops/etcd-manager.json',
  );
  const served = JSON.stringify(config?.props);
  expect(served.match(/serverNames/g)).toHaveLength(1);
  expect(served).toContain(cluster.spec.masterInternalName);
  const issued = (tasks = controlPlane) => tasks?.find(({ name }) => name === 'etcd-client-cilium')?.props;
  expect(issued()).toMatchObject({ signer: 'etcd-clients-ca-cilium', commonName: 'cilium', usages: ['client'] });
  expect(issued(worker)).toBeUndefined();
});
