import type { ClusterSpec } from '@kopsctl/spec/cluster.ts';
import type { InstanceGroupSpec } from '@kopsctl/spec/instance-group.ts';
import { validateCluster } from '@kopsctl/spec/validate.ts';
import { describe, expect, test } from 'vitest';
import { CLOUDS, specCloud } from '@kopsctl/clouds/control.ts';
import { inferCluster } from './create-cluster.ts';
import type { CreateClusterFacts, CreateClusterFlags } from './flags.ts';
import { given } from './given.ts';

type Flags = Omit<CreateClusterFlags, 'name'>;

function infer(flags: Flags, facts: CreateClusterFacts = { stateStoreUrl: 's3://store' }) {
  return inferCluster({ name: 'demo.example.com', ...flags }, facts, CLOUDS);
}
const awsZone: Flags = { cloud: 'aws', zones: ['eu-west-1a'] };
const threeZones: Flags = { cloud: 'aws', zones: ['eu-west-1a', 'eu-west-1b', 'eu-west-1c'] };
const ownProject = { own: { project: { value: 'p', path: 'spec.project' } } };
const certificate = {
  apiSslCertificate: { value: 'arn', path: 'spec.api.loadBalancer.sslCertificate', onlyFor: 'aws' },
} as const;
const gceZone: Flags = { cloud: 'gce', ...ownProject, zones: ['us-east1-b'] };
const privateAws: Flags = { ...awsZone, topology: 'private' };

describe('The Cluster', () => {
  test.each<[string, Flags, ClusterSpec]>([
    ['one zone gets the whole network', awsZone, { subnets: [subnet('eu-west-1a', 'Public', '172.20.0.0/16')] }],
    ['AWS encrypts etcd', awsZone, { cloudProvider: 'aws', nonMasqueradeCIDR: '100.64.0.0/10' }],
    ['without DNS, the API has a load balancer', awsZone, { api: balancer('Public', 'Network') }],
    [
      'with public DNS, it has a name',
      { ...awsZone, dns: 'public' },
      { api: { dns: {} }, masterPublicName: 'api.demo.example.com' },
    ],
    ['a zone of DNS means public DNS', { ...awsZone, dnsZone: 'Z1' }, { topology: { dns: { type: 'Public' } } }],
    [
      'a certificate needs one, and a list of ranges of the cloud may reach it',
      { ...awsZone, dns: 'public', own: certificate, adminAccess: ['pl-0123'] },
      {
        api: { loadBalancer: { ...balancer('Public', 'Network').loadBalancer, sslCertificate: 'arn' } },
        kubernetesApiAccess: ['pl-0123'],
      },
    ],
    [
      '--api-loadbalancer-type makes it internal',
      { ...privateAws, apiLoadbalancerType: 'internal' },
      { api: balancer('Internal', 'Network') },
    ],
    [
      'SSH is allowed from where the API is allowed',
      { ...awsZone, adminAccess: ['10.0.0.0/8'] },
      { kubernetesApiAccess: ['10.0.0.0/8'], sshAccess: ['10.0.0.0/8'] },
    ],
    [
      'a private topology puts utility subnets into one small part',
      privateAws,
      {
        subnets: [
          subnet('eu-west-1a', 'Private', '172.20.128.0/17'),
          subnet('utility-eu-west-1a', 'Utility', '172.20.0.0/20', 'eu-west-1a'),
        ],
      },
    ],
    [
      'a bastion is named in DNS',
      { ...privateAws, bastion: true, dns: 'Public' },
      { topology: { dns: { type: 'Public' }, bastion: { bastionPublicName: 'bastion.demo.example.com' } } },
    ],
    [
      'what machines reach without a proxy is written down',
      {
        ...awsZone,
        set: [
          'spec.egressProxy.httpProxy.host=proxy',
          'spec.egressProxy.excludes=x,localhost',
          'spec.clusterDNSDomain=d',
        ],
      },
      {
        egressProxy: {
          httpProxy: { host: 'proxy' },
          excludes: 'x,localhost,127.0.0.1,d,demo.example.com,100.64.0.1,100.64.0.0/10,169.254.169.254,172.20.0.0/16',
        },
      },
    ],
    ['Cilium does the work of kube-proxy', awsZone, { kubeProxy: { enabled: false } }],
    [
      "Amazon's network gives pods addresses of the VPC",
      { ...awsZone, networking: 'amazonvpc' },
      { nonMasqueradeCIDR: '172.20.0.0/16', networking: { amazonvpc: {} } },
    ],
    [
      'every component gets the feature gates',
      { ...awsZone, networking: 'calico', kubernetesFeatureGates: ['A', '+B', '-C'] },
      { kubeProxy: { featureGates: { A: 'true', B: 'true', C: 'false' } } },
    ],
    [
      'a discovery store gives service accounts roles on AWS',
      { ...awsZone, discoveryStore: 's3://public/' },
      {
        serviceAccountIssuerDiscovery: {
          discoveryStore: 's3://public/demo.example.com',
          enableAWSOIDCProvider: true,
        },
      },
    ],
    [
      'a discovery store on GCE gets the keys, and no roles follow from it',
      { ...gceZone, discoveryStore: 'gs://public/' },
      {
        serviceAccountIssuerDiscovery: { discoveryStore: 'gs://public/demo.example.com' },
        iam: { allowContainerRegistry: true, legacy: false },
      },
    ],
    [
      'on GCE a region has one subnet',
      { ...gceZone, zones: ['us-east1-b', 'us-east1-c'] },
      { project: 'p', subnets: [{ name: 'us-east1', region: 'us-east1', type: 'Public', cidr: '10.0.16.0/20' }] },
    ],
    [
      'with alias addresses pods and services are parts of its network',
      { ...gceZone, networking: 'gce' },
      { podCIDR: '10.4.0.0/14', serviceClusterIPRange: '10.1.0.0/16', nonMasqueradeCIDR: '10.0.0.0/8' },
    ],
    [
      'private subnets on GCE get the way out that is named',
      { ...gceZone, topology: 'private', egress: 'External' },
      { subnets: [{ name: 'us-east1', type: 'Private', egress: 'External' }] },
    ],
    [
      'settings are applied before ranges are assigned',
      { ...awsZone, set: ['spec.networkCIDR=10.7.0.0/16'] },
      { subnets: [subnet('eu-west-1a', 'Public', '10.7.0.0/16')] },
    ],
  ])('%s', (_title, flags, spec) => {
    expect(infer(flags).cluster.spec).toMatchObject(spec);
  });

  test('every etcd cluster says how long backups are kept', () => {
    const { etcdClusters = [] } = infer({
      ...awsZone,
      set: ['spec.etcdClusters[0].manager.backupInterval=1h', 'spec.etcdClusters[2].name=leases'],
      unset: ['spec.etcdClusters[1].manager'],
    }).cluster.spec;
    expect(etcdClusters.map(({ manager }) => manager)).toEqual([
      { backupRetentionDays: 90, backupInterval: '1h0m0s' },
      { backupRetentionDays: 90 },
      { backupRetentionDays: 90 },
    ]);
  });

  test('an unset version is that of the channel', () => {
    const { spec } = infer({ ...awsZone, kubernetesVersion: '1.34.0', unset: ['spec.kubernetesVersion'] }).cluster;
    expect(spec.kubernetesVersion).toBe(infer(awsZone).cluster.spec.kubernetesVersion);
  });

  test('fields that are unset are absent', () => {
    expect(infer({ ...awsZone, unset: ['spec.authorization'] }).cluster.spec).not.toHaveProperty('authorization');
  });

  test('IPv6 subnets are numbered, and only subnets for machines have no IPv4 range', () => {
    const { subnets } = infer({ ...awsZone, ipv6: true, networking: 'calico' }).cluster.spec;
    expect(subnets?.map(({ name, cidr, ipv6CIDR }) => [name, cidr, ipv6CIDR])).toEqual([
      ['eu-west-1a', undefined, '/64#0'],
      ['dualstack-eu-west-1a', '172.20.64.0/18', '/64#1'],
      ['utility-eu-west-1a', '172.20.0.0/21', '/64#2'],
    ]);
  });

  test('a shared network is described by its cloud', () => {
    const sharedNetwork = {
      id: 'vpc-1',
      cidr: '10.0.0.0/12',
      subnets: [
        { id: 'subnet-b', place: 'eu-west-1b', cidr: '10.11.0.0/24' },
        { id: 'subnet-a', place: 'eu-west-1a', cidr: '10.10.0.0/24' },
      ],
    };
    const flags = { cloud: 'aws', zones: ['eu-west-1a', 'eu-west-1b'], subnets: ['subnet-b', 'subnet-a'] };
    const { spec } = infer(flags, { sharedNetwork }).cluster;
    expect(spec).toMatchObject({ networkID: 'vpc-1', networkCIDR: '10.0.0.0/12' });
    expect(spec.subnets?.map(({ id, cidr }) => [id, cidr])).toEqual([
      ['subnet-a', '10.10.0.0/24'],
      ['subnet-b', '10.11.0.0/24'],
    ]);
  });

  test('keys of service accounts are published where something does it', () => {
    const flags = { cloud: 'hetzner', zones: ['fsn1'], discoveryStore: 'gs://public' };
    expect(() => infer(flags)).toThrow('clusters on hetzner publish no keys');
  });

  describe('--channel', () => {
    const image = (cloud: string, architecture: string, kubernetes = '*') => ({
      cloud,
      architecture,
      kubernetes,
      image: `${cloud}-${architecture}-${kubernetes}`,
    });
    const images = [
      image('gce', 'amd64'),
      image('aws', 'arm64'),
      image('aws', 'amd64', '<1.36.0'),
      image('aws', 'amd64', '>=1.36.0'),
    ];
    const inferred = (flags: Flags, channel: CreateClusterFacts['channel']) => {
      const { cluster, instanceGroups, record } = infer({ ...awsZone, channel: 'mine', ...flags }, given({ channel }));
      return { spec: cluster.spec, images: instanceGroups.map(({ spec }) => spec.image), record };
    };

    test('the channel recommends the version and the images, and stays the channel of the cluster', () => {
      const {
        spec,
        images: chosen,
        record,
      } = inferred({ node: { sizes: ['m6g.large'] } }, { kubernetes: '1.36.1', images });
      expect(spec).toMatchObject({ channel: 'mine', kubernetesVersion: '1.36.1' });
      expect(chosen).toEqual(['aws-amd64->=1.36.0', 'aws-arm64-*']);
      expect(record.cluster).toHaveProperty(['spec.kubernetesVersion']);
    });

    test('what other flags say is not asked of it', () => {
      const flags = { kubernetesVersion: '1.35.0', node: { image: 'ami-1' } };
      expect(inferred(flags, { kubernetes: undefined, images }).images).toEqual(['aws-amd64-<1.36.0', 'ami-1']);
    });

    test('what it does not recommend has to be given', () => {
      const nothing = { kubernetes: undefined, images: [] };
      expect(() => inferred({}, nothing)).toThrow('the channel mine recommends no version of Kubernetes');
      expect(() => inferred({ kubernetesVersion: '1.35.0' }, nothing)).toThrow('nothing says which image');
      const enrolled = infer({ cloud: 'metal', zones: ['room-1'], kubernetesVersion: '1.35.0' }, { channel: nothing });
      expect(enrolled.instanceGroups[0]?.spec.image).toBe('installed');
    });
  });

  test('shared subnets are in the order of the zones, without ranges, if the cloud is not asked', () => {
    const { spec } = infer({ ...awsZone, networkId: 'vpc-1', subnets: ['subnet-1'] }).cluster;
    expect(spec.networkCIDR).toBeUndefined();
    expect(spec.subnets).toEqual([{ name: 'eu-west-1a', zone: 'eu-west-1a', type: 'Public', id: 'subnet-1' }]);
  });
});

describe('Instance groups', () => {
  const groupsOf = (flags: Flags) =>
    Object.fromEntries(infer(flags).instanceGroups.map(({ metadata, spec }) => [metadata.name, spec]));

  test.each<[string, Flags, Record<string, InstanceGroupSpec>]>([
    [
      'nodes are distributed over the zones',
      { ...threeZones, node: { count: 4 } },
      {
        'nodes-eu-west-1a': { minSize: 2, maxSize: 2, subnets: ['eu-west-1a'] },
        'nodes-eu-west-1b': { minSize: 1 },
        'nodes-eu-west-1c': { minSize: 1 },
      },
    ],
    [
      'control planes that share a zone are numbered',
      { ...awsZone, controlPlane: { count: 3 } },
      { 'control-plane-eu-west-1a-1': {}, 'control-plane-eu-west-1a-2': {}, 'control-plane-eu-west-1a-3': {} },
    ],
    [
      'several sizes make a mixed group on AWS',
      { ...awsZone, node: { sizes: ['m5.large', 'm5a.large'] } },
      {
        'nodes-eu-west-1a': {
          machineType: 'm5.large',
          mixedInstancesPolicy: { instances: ['m5.large', 'm5a.large'] },
        },
      },
    ],
    [
      'ARM processors of AWS get an image for them',
      { ...awsZone, node: { sizes: ['m6g.xlarge'] } },
      {
        'nodes-eu-west-1a': {
          image: '099720109477/ubuntu/images/hvm-ssd-gp3/ubuntu-noble-24.04-arm64-server-20260714',
        },
      },
    ],
    [
      'with additional ranges, workers are not in the main subnet',
      { ...awsZone, networkCidr: ['10.0.0.0/16', '10.1.0.0/16'] },
      {
        'control-plane-eu-west-1a': { subnets: ['eu-west-1a'] },
        'nodes-eu-west-1a': { subnets: ['eu-west-1a-1'] },
      },
    ],
    [
      'machines on GCE are placed by zone',
      gceZone,
      { 'nodes-us-east1-b': { subnets: ['us-east1'], zones: ['us-east1-b'], machineType: 'e2-medium' } },
    ],
    [
      'Karpenter scales a single group',
      { ...threeZones, instanceManager: 'karpenter', discoveryStore: 's3://d' },
      { nodes: { manager: 'Karpenter', subnets: ['eu-west-1a', 'eu-west-1b', 'eu-west-1c'] } },
    ],
    [
      'older Kubernetes versions get an older Ubuntu, and settings of the metadata service',
      { ...awsZone, kubernetesVersion: '1.26.3' },
      {
        'nodes-eu-west-1a': {
          image: '099720109477/ubuntu/images/hvm-ssd/ubuntu-focal-20.04-amd64-server-20250624',
          instanceMetadata: { httpTokens: 'required', httpPutResponseHopLimit: 1 },
        },
      },
    ],
    [
      'machines of AWS run the Ubuntu that kops names for the Kubernetes version',
      { ...awsZone, kubernetesVersion: '1.31.14' },
      {
        'nodes-eu-west-1a': {
          image: '099720109477/ubuntu/images/hvm-ssd/ubuntu-jammy-22.04-amd64-server-20260410',
        },
      },
    ],
    [
      'machines of GCE run the Ubuntu that kops names for the Kubernetes version',
      { ...gceZone, kubernetesVersion: '1.31.14' },
      { 'nodes-us-east1-b': { image: 'ubuntu-os-cloud/ubuntu-2204-jammy-v20250615' } },
    ],
    ['a bastion is one machine', { ...privateAws, bastion: true }, { bastions: { role: 'Bastion', minSize: 1 } }],
    [
      'volumes and security groups go to the role they are for',
      { ...awsZone, controlPlane: { volumeSizeGib: 32, volumeType: 'gp3' }, node: { securityGroups: ['sg-1'] } },
      {
        'control-plane-eu-west-1a': { rootVolumeSize: 32, rootVolumeType: 'gp3' },
        'nodes-eu-west-1a': { additionalSecurityGroups: ['sg-1'] },
      },
    ],
  ])('%s', (_title, flags, groups) => {
    expect(groupsOf(flags)).toMatchObject(groups);
  });
});

test.each<[string, Flags, string]>([
  ['an unknown cloud', { cloud: 'ibm' }, "--cloud is 'ibm'"],
  ['no zone', { cloud: 'aws' }, 'no zone is named'],
  ['zones of an unknown cloud', { zones: ['x'] }, 'nothing says which cloud'],
  ['an even number of control planes', { ...awsZone, controlPlane: { count: 2 } }, '2 members'],
  [
    'fewer control planes than zones for them',
    { ...awsZone, controlPlane: { count: 1 }, controlPlaneZones: ['eu-west-1a', 'eu-west-1b', 'eu-west-1c'] },
    'names 3 zones for 1',
  ],
  ['a bastion of public subnets', { ...awsZone, bastion: true }, 'these are public'],
  ['GCE without a project', { cloud: 'gce', zones: ['us-east1-b'] }, 'needs a project'],
  ['OpenStack without a range', { cloud: 'openstack', zones: ['nova'], image: 'u' }, 'the network has no range'],
  ['IPv6 and pods without it', { ...awsZone, ipv6: true, networking: 'amazonvpc' }, 'gives pods IPv4 addresses'],
  ['IPv6 elsewhere', { ...gceZone, ipv6: true, networking: 'calico' }, 'clusters on gce have no IPv6'],
  ['utility subnets where there are none', { ...gceZone, utilitySubnets: ['x'] }, 'gce have no utility subnets'],
  ['an existing network that was not asked', { ...gceZone, networkId: 'net' }, 'only Google knows'],
  ['a gate without a name', { ...awsZone, kubernetesFeatureGates: ['-'] }, "'-' has no name"],
  ['a region of AWS', { ...awsZone, zones: ['eu-west-1'] }, "'eu-west-1' is not a zone of AWS"],
  ['two regions of AWS', { ...awsZone, controlPlaneZones: ['eu-west-2a'] }, 'are in two regions'],
  ['an internal load balancer', { ...gceZone, apiLoadbalancerType: 'internal' }, 'is in private subnets'],
  ['two regions of Linode', { cloud: 'linode', zones: ['us-east', 'eu-west'] }, 'is in one region'],
  ['half a version', { ...awsZone, kubernetesVersion: '1.35' }, "'1.35' is not a version"],
  ['a pod network of another cloud', { ...gceZone, networking: 'amazonvpc' }, "--networking is 'amazonvpc'"],
  ['an unknown pod network', { ...awsZone, networking: 'tokenring' }, "--networking is 'tokenring'"],
  ['a network too small', { ...awsZone, networkCidr: ['10.0.0.0/31'], topology: 'private' }, 'has no room'],
  ['subnets of an unnamed network', { ...awsZone, subnets: ['subnet-1'] }, 'network that is not named'],
  [
    'an existing utility subnet beside new ones',
    { ...privateAws, networkId: 'vpc-1', utilitySubnets: ['subnet-1'] },
    'but not for',
  ],
  [
    'a classic load balancer',
    { ...awsZone, own: { apiLoadbalancerClass: { value: 'classic', path: 'spec.api.loadBalancer.class' } } },
    'neither kopsctl nor kops since 1.37',
  ],
  [
    'a flag of another cloud on this computer',
    { cloud: 'local', ...ownProject },
    '--project does not apply to machines on this computer',
  ],
  [
    'a certificate of AWS elsewhere',
    { ...gceZone, own: { ...ownProject.own, ...certificate } },
    'on gce have no --api-ssl-',
  ],
  ['a prefix list elsewhere', { ...gceZone, adminAccess: ['pl-0123'] }, "--admin-access 'pl-0123' is not a range"],
  ['a prefix list as the network', { ...awsZone, networkCidr: ['pl-0123'] }, "--network-cidr 'pl-0123' is not a range"],
  ['Karpenter outside of AWS', { ...gceZone, instanceManager: 'karpenter' }, 'Karpenter has no provider'],
])('%s is rejected with one sentence', (_title, flags, why) => {
  expect(() => infer(flags, {})).toThrow(why);
});

test('The state store determines the cloud, and without any hint it is this computer', () => {
  expect(infer({ zones: ['eu-west-1a'] }, { stateStoreUrl: 's3://x' }).cluster.spec.cloudProvider).toBe('aws');
  expect(infer({}).cluster.spec).toEqual({ cloudProvider: 'local' });
});

test('Inferred clusters are valid', () => {
  for (const flags of [awsZone, threeZones, privateAws, gceZone, {}]) {
    const { cluster, instanceGroups } = infer(flags);
    expect(validateCluster(cluster, instanceGroups, specCloud(cluster))).toEqual([]);
  }
});

function subnet(name: string, type: string, cidr: string, zone = name) {
  return { name, zone, type, cidr };
}

function balancer(type: string, balancerClass: string) {
  return { loadBalancer: { type, class: balancerClass } };
}
