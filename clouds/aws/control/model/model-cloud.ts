import type { ModelCloud } from '@kopsctl/model/cluster-facts.ts';
import { awsAddons } from '../addons/aws-addons.ts';
import { namesFromAddresses } from '../naming.ts';
import { AWS_TRAITS } from '../traits.ts';
import { machineRoleOf } from './iam/role-names.ts';
import { iamAuthenticator } from './iam-authenticator.ts';
import { ecrCredentials } from './registry-credentials.ts';
import { vpcInterfaces } from './vpc-interfaces.ts';
import { hasWarmPool, launchHook } from './warm-pool.ts';

/** What the builders of every cluster need to know about AWS. */
export const awsModelCloud: ModelCloud = {
  name: 'aws',
  traits: AWS_TRAITS,
  addons: awsAddons,
  zoneProvider: ({ spec }) => ({ name: 'Route53', isPrivate: spec.topology?.dns?.type === 'Private' }),
  // There is only one default class: in a cluster that kops made, the one that it already has.
  snapshotClass: ({ isOfKops }) => ({
    name: isOfKops ? 'csi-hostpath-snapclass' : 'csi-aws-vsc',
    driver: 'ebs.csi.aws.com',
  }),
  providerId: 'aws:///@{zone}/@{instanceId}',
  namesFromAddresses,
  registryCredentials: ecrCredentials,
  podNetworkPart: vpcInterfaces,
  usersPart: iamAuthenticator,
  principalOf: machineRoleOf,
  // The IPv6 address is that of machines on Nitro (EC2 user guide, "Use the Instance Metadata Service").
  metadata: { ipv4: '169.254.169.254', ipv6: 'fd00:ec2::254' },
  hasWarmPool,
  launchHook,
  timeServer: '169.254.169.123',
  // kubernetes#23395: ARP entries of terminated machines must expire.
  sysctls: { 'net.ipv4.neigh.default.gc_thresh1': '0' },
};
