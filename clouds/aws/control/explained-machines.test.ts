import { clusterFacts } from '@kopsctl/model/cluster-facts.ts';
import type { ClusterSpec } from '@kopsctl/spec/cluster.ts';
import { completeCluster } from '@kopsctl/spec/complete.ts';
import { explainPath } from '@kopsctl/spec/explain.ts';
import type { InstanceGroup, InstanceGroupSpec } from '@kopsctl/spec/instance-group.ts';
import { describe, expect, test } from 'vitest';
import { aws } from './aws.ts';
import { awsResources } from './model/aws.ts';
import { awsModelCloud } from './model/model-cloud.ts';

const GROUP = 'machines';
const SUBNETS = [
  { name: 'a', type: 'Public', zone: 'us-east-1a', cidr: '172.20.32.0/19' },
  { name: 'b', type: 'Private', zone: 'us-east-1a', cidr: '172.20.64.0/19' },
] as const;

/** A completed cluster, and where each value of a group or of the cluster came from. */
function completed(group: InstanceGroupSpec, spec: ClusterSpec = {}) {
  const cluster = {
    apiVersion: 'kops.k8s.io/v1alpha2',
    kind: 'Cluster',
    metadata: { name: 'demo.example.com' },
    spec: {
      cloudProvider: 'aws',
      kubernetesVersion: '1.35.0',
      subnets: SUBNETS,
      ...spec,
    },
  } as const;
  const groupOf = (name: string, own: InstanceGroupSpec): InstanceGroup => ({
    apiVersion: 'kops.k8s.io/v1alpha2',
    kind: 'InstanceGroup',
    metadata: { name },
    spec: { machineType: 'm5.large', subnets: ['a'], ...own },
  });
  const instanceGroups = [groupOf('control-plane', { role: 'Master' }), groupOf(GROUP, group)];
  const whole = completeCluster({ cluster, instanceGroups }, { stateStoreUrl: 's3://state' }, aws);
  const written = instanceGroups.find(({ metadata }) => metadata.name === GROUP);
  const machines = whole.instanceGroups.find(({ metadata }) => metadata.name === GROUP);
  const origins = whole.origins.instanceGroups[GROUP] ?? {};
  const facts = clusterFacts(whole.cluster, 's3://state', awsModelCloud);
  const tasks = awsResources(facts, whole.instanceGroups, [], () => ({ needs: [] }));
  return {
    ofGroup: (path: string) => explainPath('InstanceGroup', path, { written, completed: machines, origins }),
    ofCluster: (path: string) =>
      explainPath('Cluster', path, { written: cluster, completed: whole.cluster, origins: whole.origins.cluster }),
    /** A property of the first task of a kind with this name. */
    told: (kind: string, name: string, property: string): unknown => {
      const task = tasks.find((one) => one.kind === kind && one.name.startsWith(name));
      return property.split('.').reduce<unknown>((at, key) => Object(at)[key], task?.props);
    },
  };
}

const TEMPLATE = 'aws/LaunchTemplate';
const SCALING_GROUP = 'aws/AutoscalingGroup';
/** For each path of a group, the task and property that it becomes. */
const OF_GROUP = [
  ['spec.rootVolumeSize', TEMPLATE, 'rootDevice.sizeGiB'],
  ['spec.rootVolumeType', TEMPLATE, 'rootDevice.type'],
  ['spec.rootVolumeIops', TEMPLATE, 'rootDevice.iops'],
  ['spec.rootVolumeThroughput', TEMPLATE, 'rootDevice.throughput'],
  ['spec.rootVolumeEncryption', TEMPLATE, 'rootDevice.encrypted'],
  ['spec.rootVolumeDeleteOnTermination', TEMPLATE, 'rootDevice.deleteOnTermination'],
  ['spec.volumes[0].type', TEMPLATE, 'devices.0.ebs.type'],
  ['spec.volumes[0].iops', TEMPLATE, 'devices.0.ebs.iops'],
  ['spec.volumes[0].throughput', TEMPLATE, 'devices.0.ebs.throughput'],
  ['spec.volumes[0].encrypted', TEMPLATE, 'devices.0.ebs.encrypted'],
  ['spec.volumes[0].deleteOnTermination', TEMPLATE, 'devices.0.ebs.deleteOnTermination'],
  ['spec.associatePublicIp', TEMPLATE, 'publicIp'],
  ['spec.detailedInstanceMonitoring', TEMPLATE, 'detailedMonitoring'],
  ['spec.instanceMetadata.httpPutResponseHopLimit', TEMPLATE, 'metadata.hopLimit'],
  ['spec.instanceMetadata.httpTokens', TEMPLATE, 'metadata.tokens'],
  ['spec.instanceProtection', SCALING_GROUP, 'protectFromScaleIn'],
  ['spec.minSize', SCALING_GROUP, 'minSize'],
  ['spec.maxSize', SCALING_GROUP, 'maxSize'],
] as const;

const VOLUMES = [{ device: '/dev/xvdd', size: 50 }];

describe.each([
  ['workers', { role: 'Node', volumes: VOLUMES }],
  ['workers in a private subnet', { role: 'Node', subnets: ['b'], volumes: VOLUMES }],
  ['API servers', { role: 'APIServer', volumes: VOLUMES }],
  ['workers with other volumes', { role: 'Node', rootVolumeType: 'io2', volumes: [{ ...VOLUMES[0], type: 'st1' }] }],
] as const satisfies readonly (readonly [string, InstanceGroupSpec])[])('%s', (_, group) => {
  const { ofGroup, told } = completed(group);

  test.each(OF_GROUP)('get the value of %s that explain shows', (path, kind, property) => {
    const [{ value, origin } = { value: undefined, origin: '' }] = ofGroup(path);
    expect(told(kind, GROUP, property)).toBe(value);
    expect(origin.startsWith('not set')).toBe(value === undefined);
  });
});

test('the settings of a user win', () => {
  const own = {
    role: 'Node',
    rootVolumeSize: 10,
    rootVolumeType: 'gp2',
    rootVolumeEncryption: false,
    rootVolumeDeleteOnTermination: false,
    volumes: [{ device: '/dev/xvdd', size: 50, type: 'gp3', iops: 4000, throughput: 200, encrypted: false }],
    associatePublicIp: false,
    detailedInstanceMonitoring: true,
    instanceProtection: true,
    instanceMetadata: { httpPutResponseHopLimit: 3, httpTokens: 'optional' },
  } as const;
  const { ofGroup, told } = completed(own);
  const { volumes: _, ...fields } = own;
  for (const field of Object.keys(fields)) {
    expect(ofGroup(`spec.${field}`).map(({ origin }) => origin)).toEqual(
      ofGroup(`spec.${field}`).map(() => 'set by you'),
    );
  }
  for (const [path, kind, property] of OF_GROUP) {
    const [{ value } = { value: undefined }] = ofGroup(path);
    expect([path, told(kind, GROUP, property)]).toEqual([path, value]);
  }
});

test('workers inherit the warm pool of the cluster, and their group can override it', () => {
  const warmPool = { minSize: 2, maxSize: 7, enableLifecycleHook: true };
  const { ofGroup, told } = completed({ role: 'Node', warmPool: { maxSize: 3 } }, { warmPool });
  expect(ofGroup('spec.warmPool').map(({ path, value, origin }) => [path, value, origin])).toEqual([
    ['spec.warmPool.enableLifecycleHook', true, 'warm pool of the cluster'],
    ['spec.warmPool.lifecycleHookTimeout', 600, 'default of warm pools'],
    ['spec.warmPool.maxSize', 3, 'set by you'],
    ['spec.warmPool.minSize', 2, 'warm pool of the cluster'],
  ]);
  expect(told(SCALING_GROUP, GROUP, 'warmPool')).toEqual({ minSize: 2, maxSize: 3 });
  expect(told('aws/LifecycleHook', `kops-warmpool-${GROUP}`, 'heartbeatSeconds')).toBe(600);
  const servers = completed({ role: 'APIServer' }, { warmPool });
  expect(servers.ofGroup('spec.warmPool')[0]?.value).toBeUndefined();
  expect(servers.told(SCALING_GROUP, GROUP, 'warmPool')).toBeUndefined();
});

test('volumes of etcd are created as explain shows', () => {
  const { ofCluster, told } = completed({ role: 'Node' });
  const volume = (field: string) => ofCluster(`spec.etcdClusters[0].etcdMembers[0].${field}`)[0];
  for (const [field, property] of [
    ['volumeSize', 'sizeGiB'],
    ['volumeType', 'type'],
    ['volumeIops', 'iops'],
    ['volumeThroughput', 'throughput'],
    ['encryptedVolume', 'encrypted'],
  ] as const) {
    expect(volume(field)).toMatchObject({
      value: told('aws/Volume', 'a.etcd-main.', property),
      origin: 'default of the volumes of etcd',
    });
  }
});

test.each([
  ['None', true],
  ['Public', false],
] as const)('with DNS of type %s, the load balancer of the API reaches other zones: %s', (type, crossZone) => {
  const wish: ClusterSpec = { api: { loadBalancer: {} }, topology: { dns: { type } } };
  const { ofCluster, told } = completed({ role: 'Node' }, wish);
  expect(ofCluster('spec.api.loadBalancer.crossZoneLoadBalancing')[0]).toMatchObject({
    value: crossZone,
    origin: 'default of the API load balancer',
  });
  expect(told('aws/LoadBalancer', 'api.', 'crossZone')).toBe(crossZone);
});

test('the load balancer of bastions is public, as explain shows', () => {
  const { ofCluster, told } = completed({ role: 'Bastion' });
  expect(ofCluster('spec.topology.bastion.loadBalancer.type')[0]?.value).toBe('Public');
  expect(told('aws/LoadBalancer', 'bastion.', 'internal')).toBe(false);
});
