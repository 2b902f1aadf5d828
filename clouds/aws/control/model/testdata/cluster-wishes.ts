import type { ClusterSpec } from '@kopsctl/spec/cluster.ts';
import * as fc from 'fast-check';

type Subnet = NonNullable<ClusterSpec['subnets']>[number];

const ZONES = ['us-east-1a', 'us-east-1b'];

/** In each zone a subnet for machines, and one for load balancers and gateways; ours, or others' with an id. */
const subnets = fc
  .record({
    type: fc.constantFrom('Public', 'Private', 'DualStack'),
    ipv6: fc.boolean(),
    shared: fc.boolean(),
    egress: fc.constantFrom(undefined, 'External', 'nat-1', 'eipalloc-1', 'tgw-1', 'i-1'),
    publicIP: fc.constantFrom(undefined, '203.0.113.7'),
  })
  .map(({ type, ipv6, shared, egress, publicIP }): readonly Subnet[] =>
    ZONES.flatMap((zone, index): readonly Subnet[] => [
      {
        name: index === 0 ? 'a' : 'b',
        type,
        zone,
        cidr: `172.20.${32 * (index + 1)}.0/19`,
        ...(ipv6 && { ipv6CIDR: `/64#${index + 1}` }),
        ...(shared && { id: `subnet-${index}` }),
        ...(egress !== undefined && type !== 'Public' && { egress }),
        ...(publicIP !== undefined && type !== 'Public' && { publicIP }),
      },
      {
        name: `utility-${index}`,
        type: 'Utility',
        zone,
        cidr: `172.20.${index}.0/24`,
        ...(ipv6 && { ipv6CIDR: `/64#1${index}` }),
      },
    ]),
  );

/** Specs of clusters that differ in their networks, in what leads to the API, and in what runs beside Kubernetes. */
export const clusters = fc
  .record(
    {
      subnets,
      networkID: fc.constant('vpc-1'),
      nonMasqueradeCIDR: fc.constant('::/0'),
      additionalNetworkCIDRs: fc.constant(['172.21.0.0/16']),
      api: fc.constantFrom(
        { dns: {} },
        { loadBalancer: {} },
        { loadBalancer: { type: 'Internal' as const, sslCertificate: 'arn:1' } },
      ),
      topology: fc.constantFrom({ dns: { type: 'None' as const } }, { dns: { type: 'Private' as const } }),
      karpenter: fc.constant({ enabled: true }),
      nodeTerminationHandler: fc.constant({ enabled: true, enableSQSTerminationDraining: false }),
      iam: fc.constant({ useServiceAccountExternalPermissions: true }),
      nodePortAccess: fc.constant(['10.0.0.0/8', 'pl-1']),
      warmPool: fc.constant({}),
    },
    { requiredKeys: ['subnets'] },
  )
  .map(({ subnets: placed, ...others }): ClusterSpec => ({
    ...others,
    subnets: [...placed],
    serviceAccountIssuerDiscovery: { discoveryStore: 'memfs://discovery', enableAWSOIDCProvider: true },
  }));

/** Specs of groups of machines. */
export const machines = fc.record(
  {
    securityGroupOverride: fc.constantFrom('sg-1', 'sg-2'),
    mixedInstancesPolicy: fc.constant({ instances: ['m5.large', 'm5a.large'] }),
    maxPrice: fc.constant('0.1'),
    rootVolumeType: fc.constantFrom('io1', 'gp2', 'gp3'),
    volumes: fc.constant([{ device: '/dev/xvdd', size: 20 }]),
    machineType: fc.constantFrom('m6g.large', 'g4dn.xlarge', 'm3.large'),
    manager: fc.constant('Karpenter' as const),
    additionalSecurityGroups: fc.constant(['sg-3']),
  },
  { requiredKeys: [] },
);
