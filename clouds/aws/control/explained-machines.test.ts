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

test('workers and API servers inherit the warm pool of the cluster, and their group can override it', () => {
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
  expect(servers.ofGroup('spec.warmPool')[0]?.value).toBe(true);
  const bastions = completed({ role: 'Bastion' }, { warmPool });
  expect(bastions.ofGroup('spec.warmPool')[0]?.value).toBeUndefined();
  expect(bastions.told(SCALING_GROUP, GROUP, 'warmPool')).toBeUndefined();
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

test('speeds that EC2 would refuse are raised, as explain says', () => {
  const raised = 'the least that EC2 accepts for this type of volume';
  const { ofGroup, ofCluster, told } = completed(
    {
      role: 'Node',
      rootVolumeIops: 300,
      rootVolumeThroughput: 200,
      volumes: [{ device: '/dev/xvdd', size: 50, type: 'io1', iops: 50 }],
    },
    {
      etcdClusters: [
        { name: 'main', etcdMembers: [{ name: 'a', instanceGroup: 'control-plane', volumeThroughput: 100 }] },
      ],
    },
  );
  expect(ofGroup('spec.rootVolumeIops')[0]).toMatchObject({ value: 3000, origin: raised });
  expect(ofGroup('spec.rootVolumeThroughput')[0]).toMatchObject({ value: 200, origin: 'set by you' });
  expect(ofGroup('spec.volumes[0].iops')[0]).toMatchObject({ value: 100, origin: raised });
  expect(ofCluster('spec.etcdClusters[0].etcdMembers[0].volumeThroughput')[0]).toMatchObject({
    value: 125,
    origin: raised,
  });
  expect(told(TEMPLATE, GROUP, 'rootDevice.iops')).toBe(3000);
  expect(told(TEMPLATE, GROUP, 'devices.0.ebs.iops')).toBe(100);
  expect(told('aws/Volume', 'a.etcd-main.', 'throughput')).toBe(125);
});

test.each([
  [{}, '30000-32767', [30000, 32767]],
  [{ kubeAPIServer: { serviceNodePortRange: '28000-32767' } }, '28000-32767', [28000, 32767]],
] as const)('the firewall opens the node ports that explain shows', (spec, range, [from, to]) => {
  const { ofCluster, told } = completed({ role: 'Node' }, { ...spec, nodePortAccess: ['10.0.0.0/8'] });
  expect(ofCluster('spec.kubeAPIServer.serviceNodePortRange')[0]?.value).toBe(range);
  expect(told('aws/SecurityGroupRule', 'nodeport-tcp-', 'fromPort')).toBe(from);
  expect(told('aws/SecurityGroupRule', 'nodeport-tcp-', 'toPort')).toBe(to);
});

test('the queue of terminations exists if explain says so', () => {
  const path = 'spec.nodeTerminationHandler.enableSQSTerminationDraining';
  const { ofCluster, told } = completed({ role: 'Node' });
  expect(ofCluster(path)[0]).toMatchObject({ value: true, origin: 'kops default of the node termination handler' });
  expect(told('aws/Queue', '', 'retentionSeconds')).toBe(300);
  const without = completed({ role: 'Node' }, { nodeTerminationHandler: { enableSQSTerminationDraining: false } });
  expect(without.ofCluster(path)[0]).toMatchObject({ value: false, origin: 'set by you' });
  expect(without.told('aws/Queue', '', 'retentionSeconds')).toBeUndefined();
});

test('a role of a service account without a namespace is for the namespace that explain shows', () => {
  const iam = {
    serviceAccountExternalPermissions: [{ name: 'app', aws: { policyARNs: ['arn:aws:iam::1:policy/p'] } }],
  };
  const { ofCluster, told } = completed({ role: 'Node' }, { iam });
  expect(ofCluster('spec.iam.serviceAccountExternalPermissions[0].namespace')[0]).toMatchObject({
    value: 'default',
    origin: 'default namespace of service accounts',
  });
  expect(told('aws/IamRole', 'app.default.sa.', 'name')).toBe('app.default.sa.demo.example.com');
});

test('workers are scaled by the cluster autoscaler where explain says so', () => {
  const spec = { clusterAutoscaler: { enabled: true } };
  expect(completed({ role: 'Node' }, spec).ofGroup('spec.autoscale')[0]?.value).toBe(true);
  expect(completed({ role: 'Node', autoscale: false }, spec).ofGroup('spec.autoscale')[0]?.value).toBe(false);
  expect(completed({ role: 'APIServer' }, spec).ofGroup('spec.autoscale')[0]?.value).toBeUndefined();
});

test('a load balancer that ends TLS has the policy that explain shows, and others have none', () => {
  const sslCertificate = 'arn:aws:acm:us-east-1:000000000000:certificate/c';
  const policy = (loadBalancer: NonNullable<NonNullable<ClusterSpec['api']>['loadBalancer']>) => {
    const { ofCluster, told } = completed({ role: 'Node' }, { api: { loadBalancer } });
    const [{ value, origin } = {}] = ofCluster('spec.api.loadBalancer.sslPolicy');
    expect(told('aws/Listener', 'api.demo.example.com-443', 'sslPolicy')).toBe(value);
    return [value, origin];
  };
  expect(policy({ sslCertificate })).toEqual(['ELBSecurityPolicy-2016-08', 'default of the API load balancer']);
  expect(policy({ sslCertificate, sslPolicy: 'ELBSecurityPolicy-TLS13-1-2-2021-06' })).toEqual([
    'ELBSecurityPolicy-TLS13-1-2-2021-06',
    'set by you',
  ]);
  expect(policy({})).toEqual([undefined, 'not set, and no rule sets it']);
});
