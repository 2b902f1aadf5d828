import type { Cluster, ClusterSpec } from '@kopsctl/spec/cluster.ts';
import { completeCluster } from '@kopsctl/spec/complete.ts';
import { explainPath } from '@kopsctl/spec/explain.ts';
import type { InstanceGroupSpec } from '@kopsctl/spec/instance-group.ts';
import { expect, test } from 'vitest';
import { aws } from './aws.ts';

const clusterOf = (spec: ClusterSpec): Cluster => ({
  apiVersion: 'kops.k8s.io/v1alpha2',
  kind: 'Cluster',
  metadata: { name: 'demo.example.com' },
  spec: { cloudProvider: 'aws', kubernetesVersion: '1.36.3', ...spec },
});

function explained(spec: ClusterSpec, path: string) {
  const cluster = clusterOf(spec);
  const completed = completeCluster({ cluster, instanceGroups: [] }, { stateStoreUrl: 's3://state' }, aws);
  const { origins, withoutValue } = completed;
  const [one] = explainPath('Cluster', path, {
    written: cluster,
    completed: completed.cluster,
    origins: origins.cluster,
    withoutValue: withoutValue.cluster,
  });
  return { value: one?.value, origin: one?.origin };
}

test.each([
  ['cpuRequest', '500m'],
  ['featureGates', expect.stringContaining('StaticCapacity=true')],
  ['memoryLimit', '1Gi'],
  ['memoryRequest', '1Gi'],
] as const)('explain tells what Karpenter is told as its %s, which is not in the spec', (field, value) => {
  const origin = (enabled: boolean) => explained({ karpenter: { enabled } }, `spec.karpenter.${field}`).origin;
  const told = /^no value here: (.*), the default of kops's addon$/.exec(origin(true) ?? '')?.[1];
  expect(told).toEqual(value);
  expect(origin(false)).toBe('not set, and no rule sets it');
});

test('what a person tells Karpenter is theirs', () => {
  const karpenter = { enabled: true, cpuRequest: '2', featureGates: 'StaticCapacity=false' };
  expect(explained({ karpenter }, 'spec.karpenter.cpuRequest')).toEqual({ value: '2', origin: 'set by you' });
  expect(explained({ karpenter }, 'spec.karpenter.featureGates')).toEqual({
    value: 'StaticCapacity=false',
    origin: 'set by you',
  });
});

function explainedLifetime(own: InstanceGroupSpec, enabled = true) {
  const group = {
    apiVersion: 'kops.k8s.io/v1alpha2',
    kind: 'InstanceGroup',
    metadata: { name: 'a' },
    spec: { role: 'Node', ...own },
  } as const;
  const cluster = clusterOf({ karpenter: { enabled } });
  const { instanceGroups, withoutValue } = completeCluster(
    { cluster, instanceGroups: [group] },
    { stateStoreUrl: 's3://state' },
    aws,
  );
  const [one] = explainPath('InstanceGroup', 'spec.maxInstanceLifetime', {
    written: group,
    completed: instanceGroups[0],
    origins: {},
    withoutValue: withoutValue.instanceGroups['a'] ?? {},
  });
  return { value: one?.value, origin: one?.origin };
}

test('explain tells how long machines of Karpenter live', () => {
  const manager = 'Karpenter';
  const told = 'no value here: 720h, the default of Karpenter';
  expect(explainedLifetime({ manager })).toEqual({ value: undefined, origin: told });
  expect(explainedLifetime({ manager, maxInstanceLifetime: '48h' })).toEqual({ value: '48h', origin: 'set by you' });
  const none = { value: undefined, origin: 'not set, and no rule sets it' };
  expect(explainedLifetime({ manager }, false)).toEqual(none);
  expect(explainedLifetime({})).toEqual(none);
});

test.each<readonly [NonNullable<ClusterSpec['authentication']>, string | undefined, string]>([
  [{ aws: {} }, undefined, 'no value here: the one in the file of the authenticator'],
  [{ aws: { backendMode: 'CRD' } }, undefined, "no value here: the cluster's name"],
  [{ aws: { backendMode: 'CRD', clusterID: 'demo' } }, 'demo', 'set by you'],
  [{}, undefined, 'not set, and no rule sets it'],
])('with %j, explain tells which id of the cluster the IAM authenticator is told', (authentication, value, origin) => {
  expect(explained({ authentication }, 'spec.authentication.aws.clusterID')).toEqual({ value, origin });
});
