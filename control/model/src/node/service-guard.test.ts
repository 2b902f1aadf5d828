import { localModelCloud } from '@kopsctl/clouds/local/control/model/model-cloud.ts';
import { refsIn } from '@kopsctl/tasks/references.ts';
import { taskId } from '@kopsctl/tasks/task.ts';
import { expect, test } from 'vitest';
import { isRecord } from '@kopsctl/tasks/record.ts';
import { ASSETS } from '../testdata/asset-index.ts';
import { completedCluster } from '../testdata/clusters.ts';
import { buildNodePlan } from './node-plan.ts';

function plansOf(serviceClusterIPRange: string) {
  const { cluster, instanceGroups } = completedCluster({ spec: { serviceClusterIPRange } });
  return instanceGroups.map((instanceGroup) =>
    buildNodePlan({ cloud: localModelCloud, cluster, instanceGroup, nodeStoreUrl: 'http://state' }, ASSETS, [
      'http://assets',
    ]),
  );
}

function scriptOf(plan: ReturnType<typeof plansOf>[number]): string {
  const content = plan.tasks.find((task) => taskId(task) === 'File/opt/kops/bin/service-guard')?.props['content'];
  const text = isRecord(content) ? content['text'] : undefined;
  return typeof text === 'string' ? text : '';
}

test('every machine refuses what is forwarded to an address of a Service, before any other rule', () => {
  for (const plan of plansOf('100.64.0.0/13')) {
    expect(scriptOf(plan)).toContain('iptables -w -I FORWARD -d 100.64.0.0/13 -j REJECT\n');
  }
});

test('a range of IPv6 has its rule in its own family', () => {
  for (const plan of plansOf('fd00:5e4f::/108')) {
    expect(scriptOf(plan)).toContain('ip6tables -w -I FORWARD -d fd00:5e4f::/108 -j REJECT\n');
  }
});

test('no pod starts before it', () => {
  for (const plan of plansOf('100.64.0.0/13')) {
    const kubelet = plan.tasks.find((task) => taskId(task) === 'Service/kubelet.service');
    expect(refsIn(kubelet?.props ?? {}).map(({ ref }) => ref)).toContain('Service/service-guard.service');
  }
});
