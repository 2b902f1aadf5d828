import type { KindLifecycle } from '@kopsctl/model/lifecycle.ts';
import type { AwsKind } from './kinds/aws-kinds.ts';

/** The kinds by kops's names (kops upup/pkg/fi/cloudup/awstasks), each with the phase that creates it. */
const KINDS: readonly (readonly [kind: AwsKind, kopsName: string, phase: KindLifecycle['phase']])[] = [
  ['aws/Vpc', 'VPC', 'network'],
  ['aws/VpcCidrBlock', 'VPCCIDRBlock', 'network'],
  ['aws/DhcpOptions', 'DHCPOptions', 'network'],
  ['aws/DhcpOptionsAssociation', 'VPCDHCPOptionsAssociation', 'network'],
  ['aws/InternetGateway', 'InternetGateway', 'network'],
  ['aws/EgressOnlyInternetGateway', 'EgressOnlyInternetGateway', 'network'],
  ['aws/Subnet', 'Subnet', 'network'],
  ['aws/RouteTable', 'RouteTable', 'network'],
  ['aws/Route', 'Route', 'network'],
  ['aws/RouteTableAssociation', 'RouteTableAssociation', 'network'],
  ['aws/ElasticIp', 'ElasticIP', 'network'],
  ['aws/NatGateway', 'NatGateway', 'network'],
  ['aws/SecurityGroup', 'SecurityGroup', 'security'],
  ['aws/SecurityGroupRule', 'SecurityGroupRule', 'security'],
  ['aws/KeyPair', 'SSHKey', 'security'],
  ['aws/IamRole', 'IAMRole', 'security'],
  ['aws/IamRolePolicy', 'IAMRolePolicy', 'security'],
  ['aws/IamRolePolicyAttachment', 'IAMRolePolicyAttachment', 'security'],
  ['aws/InstanceProfile', 'IAMInstanceProfile', 'security'],
  ['aws/OidcProvider', 'IAMOIDCProvider', 'security'],
  // IAM policies refer to them.
  ['aws/HostedZone', 'DNSZone', 'security'],
  ['aws/Queue', 'SQS', 'security'],
  ['aws/PublicFile', 'ManagedFile', 'cluster'],
  ['aws/HostedZoneAssociation', 'DNSZoneAssociation', 'cluster'],
  ['aws/DnsRecord', 'DNSName', 'cluster'],
  ['aws/ReservedNames', 'DNSPlaceholder', 'cluster'],
  ['aws/Volume', 'EBSVolume', 'cluster'],
  ['aws/LaunchTemplate', 'LaunchTemplate', 'cluster'],
  ['aws/AutoscalingGroup', 'AutoscalingGroup', 'cluster'],
  ['aws/LifecycleHook', 'AutoscalingLifecycleHook', 'cluster'],
  ['aws/LoadBalancer', 'NetworkLoadBalancer', 'cluster'],
  ['aws/TargetGroup', 'TargetGroup', 'cluster'],
  ['aws/Listener', 'NetworkLoadBalancerListener', 'cluster'],
  ['aws/EventRule', 'EventBridgeRule', 'cluster'],
  ['aws/EventTarget', 'EventBridgeTarget', 'cluster'],
];

export const AWS_LIFECYCLES: readonly KindLifecycle[] = KINDS.map(([kind, kopsName, phase]) => ({
  kind,
  kopsName,
  phase,
}));
