import { specCloud } from '@kopsctl/clouds/control.ts';
import { bootstrapChannel } from '@kopsctl/model/addons/bootstrap-channel.ts';
import { groupMarks } from '@kopsctl/model/store/node-marks.ts';
import { clusterFacts } from '@kopsctl/model/cluster-facts.ts';
import { API_LOAD_BALANCER, AUTHORITY_CA } from '@kopsctl/node-plan/boot-config.ts';
import type { Cluster, ClusterSpec } from '@kopsctl/spec/cluster.ts';
import { completeCluster } from '@kopsctl/spec/complete.ts';
import type { InstanceGroup, InstanceGroupSpec } from '@kopsctl/spec/instance-group.ts';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { karpenterPools } from './karpenter-pools.ts';
import { awsModelCloud } from './model-cloud.ts';

const IMAGE = '099720109477/ubuntu/images/hvm-ssd-gp3/ubuntu-noble-24.04-amd64-server-20260714';
const SUBNETS = [{ name: 'a', type: 'Public', zone: 'us-east-1a', cidr: '172.20.32.0/19' }] as const;

function completed(group: InstanceGroupSpec, spec: ClusterSpec) {
  const cluster: Cluster = {
    apiVersion: 'kops.k8s.io/v1alpha2',
    kind: 'Cluster',
    metadata: { name: 'demo.example.com' },
    spec: {
      cloudProvider: 'aws',
      kubernetesVersion: '1.35.0',
      networking: { cni: {} },
      subnets: SUBNETS,
      iam: { useServiceAccountExternalPermissions: true },
      karpenter: { enabled: true },
      ...spec,
    },
  };
  const specs: readonly InstanceGroupSpec[] = [{ manager: 'Karpenter', image: IMAGE, ...group }, { role: 'Node' }];
  const instanceGroups = specs.map((one, index): InstanceGroup => ({
    apiVersion: 'kops.k8s.io/v1alpha2',
    kind: 'InstanceGroup',
    metadata: { name: index === 0 ? 'spot' : 'nodes' },
    spec: one,
  }));
  const done = completeCluster({ cluster, instanceGroups }, { stateStoreUrl: 's3://state' }, specCloud(cluster));
  return { facts: clusterFacts(done.cluster, 's3://state', awsModelCloud), groups: done.instanceGroups };
}

function made(group: InstanceGroupSpec = {}, spec: ClusterSpec = {}, userData = `#!/bin/sh\necho ${AUTHORITY_CA}\n`) {
  const { facts, groups } = completed(group, spec);
  const [addon] = karpenterPools(facts, groups, () => userData);
  const of = (kind: string) => addon?.objects.filter((one) => one.kind === kind) ?? [];
  return { addon, nodeClasses: of('EC2NodeClass'), nodePools: of('NodePool') };
}

test('a group of Karpenter is a class and a pool, which make what an auto-scaling group would', () => {
  const { nodeClasses, nodePools } = made({ machineType: 'm6g.large,m7g.large', rootVolumeSize: 40, maxSize: 9 });
  expect(nodeClasses).toMatchObject([
    {
      metadata: { name: 'spot' },
      spec: {
        amiFamily: 'Custom',
        amiSelectorTerms: [
          { owner: '099720109477', name: 'ubuntu/images/hvm-ssd-gp3/ubuntu-noble-24.04-amd64-server-20260714' },
        ],
        associatePublicIPAddress: true,
        blockDeviceMappings: [
          {
            deviceName: '/dev/sda1',
            rootVolume: true,
            ebs: { encrypted: true, iops: 3000, throughput: 125, volumeSize: '40Gi', volumeType: 'gp3' },
          },
        ],
        instanceProfile: 'nodes.demo.example.com',
        kubelet: { maxPods: 110 },
        metadataOptions: { httpTokens: 'required', httpPutResponseHopLimit: 1 },
        securityGroupSelectorTerms: [
          { tags: { KubernetesCluster: 'demo.example.com', Name: 'nodes.demo.example.com' } },
        ],
        subnetSelectorTerms: [
          { tags: { KubernetesCluster: 'demo.example.com', 'kops.k8s.io/instance-group/spot': 'true' } },
        ],
        userData: '#!/bin/sh\necho @{nodeAuthorityCa}\n',
      },
    },
  ]);
  const tags = Object(nodeClasses[0]?.['spec'])['tags'];
  expect(tags).toMatchObject({ 'k8s.io/role/node': '1', 'kops.k8s.io/instancegroup': 'spot' });
  expect(Object.keys(tags).filter((tag) => tag.startsWith('kubernetes.io/cluster'))).toEqual([]);
  expect(nodePools).toMatchObject([
    {
      metadata: { name: 'spot' },
      spec: {
        limits: { nodes: '9' },
        template: {
          metadata: { labels: { 'kops.k8s.io/instancegroup': 'spot', 'node-role.kubernetes.io/node': '' } },
          spec: {
            expireAfter: '720h',
            nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'spot' },
            requirements: [
              { key: 'kubernetes.io/os', values: ['linux'] },
              { key: 'kubernetes.io/arch', values: ['arm64'] },
              { key: 'node.kubernetes.io/instance-type', values: ['m6g.large', 'm7g.large'] },
              { key: 'karpenter.sh/capacity-type', values: ['on-demand'] },
            ],
          },
        },
      },
    },
  ]);
});

test('a pool has a size only where the group has one', () => {
  const spec = (group: InstanceGroupSpec) => Object(made(group).nodePools[0]?.['spec']);
  expect(spec({})).not.toHaveProperty('replicas');
  expect(spec({})).not.toHaveProperty('limits');
  expect(spec({ minSize: 3 })).toMatchObject({ replicas: 3 });
});

test.each<readonly [string, InstanceGroupSpec, object, object]>([
  ['an id', { image: 'ami-1' }, { amiSelectorTerms: [{ id: 'ami-1' }], blockDeviceMappings: [] }, {}],
  ['a parameter', { image: 'ssm:/mine' }, { amiSelectorTerms: [{ ssmParameter: '/mine' }] }, {}],
  [
    'more volumes',
    { volumes: [{ device: '/dev/xvdd', size: 20, type: 'gp2' }] },
    { blockDeviceMappings: [{ rootVolume: true }, { deviceName: '/dev/xvdd', ebs: { volumeSize: '20Gi' } }] },
    {},
  ],
  [
    'a security group of others',
    { securityGroupOverride: 'sg-1' },
    { securityGroupSelectorTerms: [{ id: 'sg-1' }] },
    {},
  ],
  [
    'settings of kubelet',
    { kubelet: { maxPods: 50, kubeReserved: { cpu: '1' } } },
    { kubelet: { maxPods: 50, kubeReserved: { cpu: '1' } } },
    {},
  ],
  [
    'no end of their lifetime, as the cluster is stored',
    { maxInstanceLifetime: '0s' },
    {},
    { template: { spec: { expireAfter: '720h' } } },
  ],
  [
    'spot machines, a lifetime and taints',
    { maxPrice: '0.1', maxInstanceLifetime: '48h', taints: ['dedicated=gpu:NoSchedule'] },
    {},
    {
      template: {
        spec: {
          expireAfter: '48h',
          requirements: expect.arrayContaining([
            { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['spot'] },
          ]),
          taints: [{ key: 'dedicated', value: 'gpu', effect: 'NoSchedule' }],
        },
      },
    },
  ],
])('Karpenter follows the spec of the group: %s', (_, group, nodeClass, nodePool) => {
  const { nodeClasses, nodePools } = made(group);
  expect(nodeClasses[0]?.['spec']).toMatchObject(nodeClass);
  expect(nodePools[0]?.['spec']).toMatchObject(nodePool);
});

test('there are no pools without Karpenter, nor of machines that would not find the API or a subnet', () => {
  expect(made({}, { karpenter: { enabled: false } }).addon).toBeUndefined();
  expect(made({}, {}, `#!/bin/sh\necho ${API_LOAD_BALANCER}\n`).addon).toBeUndefined();
  expect(made({}, { DisableSubnetTags: true }).addon).toBeUndefined();
  const subnets = [{ ...SUBNETS[0], id: 'subnet-1' }];
  const { nodeClasses } = made({}, { DisableSubnetTags: true, networkID: 'vpc-1', subnets });
  expect(nodeClasses[0]?.['spec']).toMatchObject({ subnetSelectorTerms: [{ id: 'subnet-1' }] });
});

test('protokube does not give Nodes the mark that Karpenter takes from them', () => {
  const { facts, groups } = completed({}, {});
  expect(groups.map((group) => groupMarks(facts, group).taints)).toEqual([[], []]);
});

test("what looks like a place for a fact in a person's own user data is left as it is", () => {
  const userData = `#!/bin/sh\necho ${AUTHORITY_CA} @{account} @{mine}\n`;
  const { facts, groups } = completed({}, {});
  const channel = bootstrapChannel(
    facts,
    groups,
    undefined,
    karpenterPools(facts, groups, () => userData),
  ).find(({ name }) => name === 'bootstrap-channel');
  const { addons } = parse(String(Object(channel?.props)['content'])).spec;
  expect(addons.at(-1)).toMatchObject({ name: 'nodepools.karpenter.sh', needsFacts: ['nodeAuthorityCa'] });
});
