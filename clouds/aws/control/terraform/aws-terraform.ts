import type { TerraformKind } from '@kopsctl/model/terraform/kind.ts';
import type { AwsKind, AwsKinds } from '../kinds/aws-kinds.ts';
import * as compute from './compute.ts';
import * as dns from './dns.ts';
import * as events from './events.ts';
import * as iam from './iam.ts';
import * as loadBalancing from './load-balancing.ts';
import * as network from './network.ts';
import * as security from './security.ts';
import * as storage from './storage.ts';

/** How each AWS kind is written for Terraform's AWS provider, 5.0 and newer. */
export const AWS_TERRAFORM: { readonly [Kind in AwsKind]: TerraformKind<AwsKinds[Kind]> } = {
  'aws/Vpc': network.vpc,
  'aws/VpcCidrBlock': network.vpcCidrBlock,
  'aws/DhcpOptions': network.dhcpOptions,
  'aws/DhcpOptionsAssociation': network.dhcpOptionsAssociation,
  'aws/InternetGateway': network.internetGateway,
  'aws/EgressOnlyInternetGateway': network.egressOnlyInternetGateway,
  'aws/Subnet': network.subnet,
  'aws/RouteTable': network.routeTable,
  'aws/Route': network.route,
  'aws/RouteTableAssociation': network.routeTableAssociation,
  'aws/ElasticIp': network.elasticIp,
  'aws/NatGateway': network.natGateway,
  'aws/SecurityGroup': security.securityGroup,
  'aws/SecurityGroupRule': security.securityGroupRule,
  'aws/KeyPair': security.keyPair,
  'aws/IamRole': iam.iamRole,
  'aws/IamRolePolicy': iam.iamRolePolicy,
  'aws/IamRolePolicyAttachment': iam.iamRolePolicyAttachment,
  'aws/InstanceProfile': iam.instanceProfile,
  'aws/OidcProvider': iam.oidcProvider,
  'aws/Volume': compute.volume,
  'aws/LaunchTemplate': compute.launchTemplate,
  'aws/AutoscalingGroup': compute.autoscalingGroup,
  'aws/LifecycleHook': compute.lifecycleHook,
  'aws/LoadBalancer': loadBalancing.loadBalancer,
  'aws/TargetGroup': loadBalancing.targetGroup,
  'aws/Listener': loadBalancing.listener,
  'aws/HostedZone': dns.hostedZone,
  'aws/HostedZoneAssociation': dns.hostedZoneAssociation,
  'aws/DnsRecord': dns.dnsRecord,
  'aws/ReservedNames': dns.reservedNames,
  'aws/PublicFile': storage.publicFile,
  'aws/Queue': events.queue,
  'aws/EventRule': events.eventRule,
  'aws/EventTarget': events.eventTarget,
};
