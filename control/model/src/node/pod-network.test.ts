import { localModelCloud } from '@kopsctl/clouds/local/control/model/model-cloud.ts';
import { expect, test } from 'vitest';
import type { NetworkingSpec } from '@kopsctl/spec/cluster.ts';
import { taskId } from '@kopsctl/tasks/task.ts';
import { ASSETS } from '../testdata/asset-index.ts';
import { completedCluster } from '../testdata/clusters.ts';
import { buildNodePlan } from './node-plan.ts';

function worker(networking: NetworkingSpec) {
  const { cluster, instanceGroups } = completedCluster({ spec: { networking } });
  const instanceGroup = instanceGroups.at(-1);
  if (instanceGroup === undefined) throw new Error('a cluster has workers');
  const plan = buildNodePlan({ cloud: localModelCloud, cluster, instanceGroup, nodeStoreUrl: 'http://state' }, ASSETS, [
    'http://assets',
  ]);
  const tasks = plan.tasks.map((task): string => taskId(task));
  return { tasks, text: JSON.stringify(plan.tasks) };
}

test("kubenet is the node's own: its range, its masquerading, its routes", () => {
  const { tasks, text } = worker({ kubenet: {} });
  expect(tasks).toContain('File/etc/containerd/config-cni.template');
  expect(tasks).toContain('Service/cni-iptables-setup.service');
  expect(text).toContain('podRoutes');
});

test('a network that runs as pods finds the plugins, and nothing of kubenet beside it', () => {
  const { tasks, text } = worker({ calico: {} });
  expect(tasks.some((id) => id.startsWith('Archive/cni'))).toBe(true);
  expect(tasks).not.toContain('File/etc/containerd/config-cni.template');
  expect(tasks).not.toContain('Service/cni-iptables-setup.service');
  expect(text).not.toContain('podRoutes');
  expect(text).not.toContain('conf_template');
});

test("checksums of flannel are the kernel's where asked", () => {
  expect(worker({ flannel: {} }).text).not.toContain('ethtool -K flannel.1');
  expect(worker({ flannel: { disableTxChecksumOffloading: true } }).text).toContain('ethtool -K flannel.1');
});
