import type { ClusterSpec } from '@kopsctl/spec/cluster.ts';
import type { InstanceGroupSpec } from '@kopsctl/spec/instance-group.ts';
import { expect, test } from 'vitest';
import { validateAws } from './validate.ts';

const faultsOf = (spec: ClusterSpec, groups: readonly InstanceGroupSpec[] = []) =>
  [
    ...validateAws(
      { apiVersion: 'kops.k8s.io/v1alpha2', kind: 'Cluster', metadata: { name: 'demo.example.com' }, spec },
      groups.map((one) => ({
        apiVersion: 'kops.k8s.io/v1alpha2',
        kind: 'InstanceGroup',
        metadata: { name: 'nodes' },
        spec: one,
      })),
    ),
  ].map(({ path, message }) => `${path} ${message}`);

test('only pods with addresses of the VPC are in a range of it', () => {
  const ranges = { networkCIDR: '172.20.0.0/16', nonMasqueradeCIDR: '172.20.0.0/16' };
  expect(faultsOf({ ...ranges, networking: { calico: {} } })).toEqual([
    'spec.nonMasqueradeCIDR 172.20.0.0/16 overlaps 172.20.0.0/16, a range of the VPC',
  ]);
  expect(faultsOf({ ...ranges, networking: { amazonvpc: {} } })).toEqual([]);
  expect(faultsOf({ ...ranges, networking: { cilium: { ipam: 'eni' } } })).toEqual([]);
});

test('pods have addresses that are not masqueraded', () => {
  const of = (podCIDR: string, clusterCIDR: string) =>
    faultsOf({ nonMasqueradeCIDR: '100.64.0.0/10', podCIDR, kubeControllerManager: { clusterCIDR } });
  expect(of('100.96.0.0/11', '100.96.0.0/11')).toEqual([]);
  expect(of('10.96.0.0/11', '10.96.0.0/11')).toEqual([
    'spec.podCIDR 10.96.0.0/11 is not within spec.nonMasqueradeCIDR (100.64.0.0/10)',
  ]);
  expect(of('100.96.0.0/11', '10.96.0.0/11')).toEqual([
    'spec.kubeControllerManager.clusterCIDR 10.96.0.0/11 is not within spec.nonMasqueradeCIDR (100.64.0.0/10)',
  ]);
});

test('only where Kubernetes has a driver for EBS of its own, the other one can be left out', () => {
  const of = (kubernetesVersion: string, driver: object) =>
    faultsOf({ kubernetesVersion, cloudConfig: { awsEBSCSIDriver: driver } });
  expect(of('1.22.17', { enabled: false })).toEqual([]);
  expect(of('1.35.0', { enabled: true, managed: false })).toEqual([]);
  expect(of('1.35.0', { enabled: false })).toEqual([
    'spec.cloudConfig.awsEBSCSIDriver.enabled Kubernetes 1.35.0 makes no volumes of EBS without the driver',
  ]);
});

test('a warm pool is of workers that AWS does not take away', () => {
  const warmPool = { minSize: 1 };
  expect(faultsOf({ warmPool }, [{ role: 'Master' }, { role: 'Node' }])).toEqual([]);
  expect(faultsOf({}, [{ role: 'Master', warmPool }])).toEqual([
    'spec.warmPool only groups of workers and API servers can have a warm pool',
  ]);
  expect(faultsOf({ warmPool }, [{ role: 'Node', maxPrice: '0.1' }])).toHaveLength(1);
  expect(faultsOf({ warmPool }, [{ role: 'Node', maxPrice: '0.1', warmPool: { maxSize: 0 } }])).toEqual([]);
  expect(faultsOf({}, [{ role: 'Node', warmPool: { minSize: 3, maxSize: 2 } }])).toEqual([
    'spec.warmPool.maxSize 2 is less than minSize (3)',
  ]);
});

test.each([
  ['s3://public/demo.example.com', []],
  ['gs://public/demo', ["'gs://public/demo' is not in S3"]],
  ['do://public/demo', ["'do://public/demo' is not in S3"]],
  ['/srv/public', ["'/srv/public' is not in S3"]],
  ['s3://a.b/demo', ['the certificate of S3 does not cover a bucket with a dot in its name (a.b)']],
])('the keys of service accounts are published in a bucket that TLS covers: %s', (discoveryStore, faults) => {
  expect(faultsOf({ serviceAccountIssuerDiscovery: { discoveryStore } })).toEqual(
    faults.map((one) => `spec.serviceAccountIssuerDiscovery.discoveryStore ${one}`),
  );
});

test('AWS trusts an issuer whose keys it can read', () => {
  const faults = (more: object) =>
    faultsOf({ serviceAccountIssuerDiscovery: { enableAWSOIDCProvider: true, ...more } });
  expect(faults({})).toEqual([
    'spec.serviceAccountIssuerDiscovery.enableAWSOIDCProvider AWS finds no keys of the issuer: nothing says where they are published',
  ]);
  expect(faults({ discoveryStore: 's3://public/a' })).toEqual([]);
  expect(faults({ discoveryService: { url: 'https://discovery.example.com/a' } })).toEqual([]);
});

test('the autoscaler does not choose by prices that it does not know', () => {
  expect(faultsOf({ clusterAutoscaler: { expander: 'least-waste' } })).toEqual([]);
  expect(faultsOf({ clusterAutoscaler: { expander: 'price' } })).toEqual([
    'spec.clusterAutoscaler.expander the autoscaler does not know the prices of AWS',
  ]);
});

test('the termination handler does with events of a queue what it can', () => {
  const of = (handler: NonNullable<ClusterSpec['nodeTerminationHandler']>) =>
    faultsOf({ nodeTerminationHandler: { enabled: true, ...handler } });
  const wish = { enableSpotInterruptionDraining: false, enableRebalanceMonitoring: true };
  expect(of({ enableRebalanceMonitoring: true, enableRebalanceDraining: true })).toEqual([]);
  expect(of({ ...wish, enableSQSTerminationDraining: false })).toEqual([]);
  expect(of(wish)).toEqual([
    'spec.nodeTerminationHandler.enableSpotInterruptionDraining a machine whose interruption is in the queue is always drained',
    'spec.nodeTerminationHandler.enableRebalanceMonitoring a machine whose rebalance event is in the queue can only be drained',
  ]);
});

test('Karpenter has a role of its own, and drains machines itself', () => {
  const karpenter = { enabled: true };
  const iam = { useServiceAccountExternalPermissions: true };
  const issuer = { discoveryStore: 's3://discovery/demo', enableAWSOIDCProvider: true };
  expect(faultsOf({ karpenter, iam, serviceAccountIssuerDiscovery: issuer })).toEqual([]);
  expect(faultsOf({ karpenter })).toEqual([
    'spec.karpenter.enabled it makes machines with a role of its own, and control planes do not have its permissions',
  ]);
  expect(
    faultsOf({ karpenter, iam, nodeTerminationHandler: { enabled: true }, serviceAccountIssuerDiscovery: issuer }),
  ).toEqual(['spec.nodeTerminationHandler.enabled Karpenter drains its machines itself']);
});

test('Karpenter makes a fixed number of machines where its feature gates let it', () => {
  const of = (featureGates: string, minSize: number) =>
    faultsOf({ karpenter: { featureGates } }, [{ role: 'Node', manager: 'Karpenter', minSize }]);
  expect(of('', 2)).toEqual([]);
  expect(of('NodeRepair=true, StaticCapacity=true', 2)).toEqual([]);
  expect(of('NodeRepair=true', 2)).toEqual([
    'spec.minSize Karpenter makes a fixed number of machines only with StaticCapacity',
  ]);
  expect(of('', 0)).toEqual(['spec.minSize with it Karpenter makes exactly 0 machines']);
});

test('an instance profile is of groups of one role', () => {
  const iam = { profile: 'arn:aws:iam::123456789012:instance-profile/one' };
  expect(
    faultsOf({}, [
      { role: 'Master', iam },
      { role: 'ControlPlane', iam },
    ]),
  ).toEqual([]);
  expect(
    faultsOf({}, [
      { role: 'Master', iam },
      { role: 'Node', iam },
    ]),
  ).toEqual(['spec.iam.profile a group of another role (ControlPlane) has this profile too']);
});

test('a group is in subnets of one type', () => {
  const subnets = [
    { name: 'a', type: 'Private' },
    { name: 'b', type: 'Private' },
    { name: 'c', type: 'Public' },
    { name: 'd' },
  ];
  expect(faultsOf({ subnets }, [{ role: 'Node', subnets: ['a', 'b', 'd', 'unknown'] }])).toEqual([]);
  expect(faultsOf({ subnets }, [{ role: 'Node', subnets: ['a', 'b', 'c'] }])).toEqual([
    'spec.subnets[2] c is Public, and a is Private',
  ]);
});
