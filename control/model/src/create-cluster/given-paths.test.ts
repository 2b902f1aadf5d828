import { awsCreation } from '@kopsctl/clouds/aws/control/create-cluster.ts';
import { CLOUDS } from '@kopsctl/clouds/control.ts';
import { explainPath } from '@kopsctl/spec/explain.ts';
import { expect, test } from 'vitest';
import { inferCluster } from './create-cluster.ts';
import { CLUSTER_PATHS, covers, GROUP_PATHS, MACHINE_PATHS } from './given-paths.ts';

const NOTHING = { written: {}, completed: {}, origins: {} };

test('Every path that a flag sets is a field of the API', () => {
  const first = (path: string) => path.replaceAll('[*]', '[0]');
  for (const path of Object.values(CLUSTER_PATHS).flat()) {
    expect(() => explainPath('Cluster', first(path), NOTHING)).not.toThrow();
  }
  for (const path of [GROUP_PATHS, MACHINE_PATHS].flatMap((table) => Object.values(table).flat())) {
    expect(() => explainPath('InstanceGroup', first(path), NOTHING)).not.toThrow();
  }
});

test.each([
  ['spec.networking', 'spec.networking.cilium.hubble.enabled', true],
  ['spec.networking', 'spec.networkingMode', false],
  ['spec.subnets[*].zone', 'spec.subnets[12].zone', true],
  ['spec.subnets[*].zone', 'spec.subnets[0].zones', false],
  ['spec.subnets[0]', 'spec.subnets[0].zone', true],
  ['spec.subnets[1]', 'spec.subnets[0].zone', false],
  ['spec.cloudLabels["a.b/c"]', 'spec.cloudLabels["a.b/c"]', true],
])('%s covers %s: %s', (pattern, path, expected) => {
  expect(covers(pattern, path)).toBe(expected);
});

test('Values without a flag are recorded, also if --set uses names of v1alpha3', () => {
  expect(awsCreation.encryptsEtcd).toBe(true);
  const { record, cluster } = inferCluster(
    {
      name: 'demo.example.com',
      cloud: 'aws',
      zones: ['eu-west-1a'],
      encryptEtcdStorage: false,
      ipv6: false,
      bastion: false,
      set: ['spec.networking.networkCIDR=10.0.0.0/16'],
    },
    { stateStoreUrl: 's3://store' },
    CLOUDS,
  );
  expect(cluster.spec.networkCIDR).toBe('10.0.0.0/16');
  expect(record.cluster).toMatchObject({ 'spec.nonMasqueradeCIDR': '100.64.0.0/10', 'spec.channel': 'stable' });
  expect(Object.keys(record.cluster).filter((path) => /networkCIDR|zone$|cloudProvider|encrypted/.test(path))).toEqual(
    [],
  );
  expect(record.instanceGroups['nodes-eu-west-1a']).toMatchObject({ 'spec.role': 'Node', 'spec.minSize': 1 });
});
