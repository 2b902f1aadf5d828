import type { ClusterSpec } from '@kopsctl/spec/cluster.ts';
import { completeCluster } from '@kopsctl/spec/complete.ts';
import { explainPath } from '@kopsctl/spec/explain.ts';
import type { InstanceGroupSpec } from '@kopsctl/spec/instance-group.ts';
import { expect, test } from 'vitest';
import { gce } from './gce.ts';

const SUBNETS = [
  { name: 'open', region: 'us-east1', type: 'Public' },
  { name: 'inner', region: 'us-east1', type: 'Private' },
  { name: 'utility', region: 'us-east1', type: 'Utility' },
] as const;

function completed(group: InstanceGroupSpec, spec: ClusterSpec = {}) {
  const cluster = {
    apiVersion: 'kops.k8s.io/v1alpha2',
    kind: 'Cluster',
    metadata: { name: 'demo.example.com' },
    spec: { cloudProvider: 'gce', project: 'demo', kubernetesVersion: '1.36.3', subnets: SUBNETS, ...spec },
  } as const;
  const one = {
    apiVersion: 'kops.k8s.io/v1alpha2',
    kind: 'InstanceGroup',
    metadata: { name: 'machines' },
    spec: group,
  } as const;
  return completeCluster({ cluster, instanceGroups: [one] }, { stateStoreUrl: 'gs://state' }, gce);
}

test.each<readonly [InstanceGroupSpec, boolean]>([
  [{ role: 'Node', subnets: ['open'] }, true],
  [{ role: 'Node', subnets: ['utility'] }, true],
  [{ role: 'Node', subnets: ['inner'] }, false],
  [{ role: 'Node' }, true],
  [{ role: 'Bastion', subnets: ['inner'] }, true],
])('whether machines have a public address follows from their subnet and role: %j', (group, isPublic) => {
  const { instanceGroups, origins } = completed(group);
  expect(instanceGroups[0]?.spec.associatePublicIp).toBe(isPublic);
  expect(origins.instanceGroups['machines']?.['spec.associatePublicIp']).toBe(
    'public address of bastions, and in public subnets',
  );
});

test('unless a person decides it', () => {
  const { instanceGroups } = completed({ role: 'Node', subnets: ['open'], associatePublicIp: false });
  expect(instanceGroups[0]?.spec.associatePublicIp).toBe(false);
});

test('explain tells how many addresses a machine gets for its pods, where Google gives them', () => {
  const told = (networking: NonNullable<ClusterSpec['networking']>) => {
    const { cluster, withoutValue } = completed({ role: 'Node' }, { networking });
    const path = 'spec.kubeControllerManager.nodeCIDRMaskSize';
    return explainPath('Cluster', path, {
      written: {},
      completed: cluster,
      origins: {},
      withoutValue: withoutValue.cluster,
    })[0]?.origin;
  };
  expect(told({ gce: {} })).toBe('no value here: Google gives each machine a /24 for its pods');
  expect(told({ calico: {} })).toBe('not set, and no rule sets it');
});
