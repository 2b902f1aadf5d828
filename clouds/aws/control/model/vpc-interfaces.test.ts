import { ASSETS } from '@kopsctl/model/testdata/asset-index.ts';
import { completedCluster } from '@kopsctl/model/testdata/clusters.ts';
import { buildNodePlan } from '@kopsctl/model/node/node-plan.ts';
import type { NetworkingSpec } from '@kopsctl/spec/cluster.ts';
import { taskId } from '@kopsctl/tasks/task.ts';
import { expect, test } from 'vitest';
import { localModelCloud } from '../../../local/control/model/model-cloud.ts';
import { awsModelCloud } from './model-cloud.ts';

/** A worker of the only kind that the assets of tests hold, with what AWS adds for its pod network. */
function worker(networking: NetworkingSpec) {
  const { cluster, instanceGroups } = completedCluster({ spec: { networking } });
  const instanceGroup = instanceGroups.at(-1);
  if (instanceGroup === undefined) throw new Error('a cluster has workers');
  const { podNetworkPart } = awsModelCloud;
  const cloud = { ...localModelCloud, ...(podNetworkPart && { podNetworkPart }) };
  const { tasks } = buildNodePlan({ cloud, cluster, instanceGroup, nodeStoreUrl: 'http://state' }, ASSETS, [
    'http://assets',
  ]);
  const kubelet = tasks.find((task) => taskId(task) === 'Service/kubelet.service');
  return {
    ids: tasks.map((task): string => taskId(task)),
    text: JSON.stringify(tasks),
    after: kubelet?.props['after'],
  };
}

const UNIT = 'Service/vpc-interfaces.service';

test.each<NetworkingSpec>([{ amazonvpc: {} }, { cilium: { ipam: 'eni' } }])(
  'interfaces of the VPC are left alone by the system before kubelet starts: %j',
  (networking) => {
    const { ids, text, after } = worker(networking);
    expect(ids).toContain('File/etc/systemd/network/99-default.link');
    expect(ids).toContain('Symlink/etc/udev/rules.d/99-vpc-policy-routes.rules');
    expect(ids).toContain(UNIT);
    expect(text).toContain('Property=!INTERFACE=@{primaryInterface}');
    expect(after).toContainEqual({ ref: UNIT });
  },
);

test('other networks need nothing of that', () => {
  const { ids, after } = worker({ cilium: {} });
  expect(ids).not.toContain(UNIT);
  expect(after).not.toContainEqual({ ref: UNIT });
});
