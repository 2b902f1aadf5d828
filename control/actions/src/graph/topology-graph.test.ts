import type { InstanceGroupSpec } from '@kopsctl/spec/instance-group.ts';
import { expect, test } from 'vitest';
import { topologyGraph } from './topology-graph.ts';

/** What the box of a group says below its name. */
function drawn(spec: InstanceGroupSpec): string | undefined {
  const object = { apiVersion: 'kops.k8s.io/v1alpha2', metadata: { name: 'a' } } as const;
  const { nodes } = topologyGraph({
    cluster: { ...object, kind: 'Cluster', spec: {} },
    instanceGroups: [{ ...object, kind: 'InstanceGroup', spec }],
    origins: { cluster: {}, instanceGroups: {} },
    withoutValue: { cluster: {}, instanceGroups: {} },
  });
  return nodes
    .find(({ id }) => id === 'group/a')
    ?.label.split('\n')
    .slice(1)
    .join(', ');
}

test.each<readonly [InstanceGroupSpec, string]>([
  [{ role: 'Node', minSize: 2, maxSize: 2, machineType: 't3.medium' }, 'Node, 2 × t3.medium'],
  [{ minSize: 2, maxSize: 5 }, '2 to 5 × machine'],
  [{ manager: 'Karpenter' }, 'as many machines as pods need'],
  [{ manager: 'Karpenter', machineType: 'm5.large' }, 'as many m5.large as pods need'],
  [{ manager: 'Karpenter', maxSize: 5 }, 'as many machines as pods need, at most 5'],
  [{ manager: 'Karpenter', minSize: 3, maxSize: 5 }, '3 × machine'],
])('a group with %j is drawn as %s', (spec, label) => {
  expect(drawn(spec)).toBe(label);
});
