import type { Resolved } from '@kopsctl/model/resolved.ts';
import type * as compute from './compute.ts';
import type * as dns from './dns.ts';
import type * as events from './events.ts';
import type * as iam from './iam.ts';
import type * as loadBalancing from './load-balancing.ts';
import type * as network from './network.ts';
import type * as security from './security.ts';
import type * as storage from './storage.ts';

/**
 * Every AWS kind and the props of its tasks: the contract between the model, the handlers, Terraform and
 * CloudFormation.
 */
export interface AwsKinds {
  readonly 'aws/Vpc': network.VpcProps;
  readonly 'aws/VpcCidrBlock': network.VpcCidrBlockProps;
  readonly 'aws/DhcpOptions': network.DhcpOptionsProps;
  readonly 'aws/DhcpOptionsAssociation': network.DhcpOptionsAssociationProps;
  readonly 'aws/InternetGateway': network.InternetGatewayProps;
  readonly 'aws/EgressOnlyInternetGateway': network.EgressOnlyInternetGatewayProps;
  readonly 'aws/Subnet': network.SubnetProps;
  readonly 'aws/RouteTable': network.RouteTableProps;
  readonly 'aws/Route': network.RouteProps;
  readonly 'aws/RouteTableAssociation': network.RouteTableAssociationProps;
  readonly 'aws/ElasticIp': network.ElasticIpProps;
  readonly 'aws/NatGateway': network.NatGatewayProps;
  readonly 'aws/SecurityGroup': security.SecurityGroupProps;
  readonly 'aws/SecurityGroupRule': security.SecurityGroupRuleProps;
  readonly 'aws/KeyPair': security.KeyPairProps;
  readonly 'aws/IamRole': iam.IamRoleProps;
  readonly 'aws/IamRolePolicy': iam.IamRolePolicyProps;
  readonly 'aws/IamRolePolicyAttachment': iam.IamRolePolicyAttachmentProps;
  readonly 'aws/InstanceProfile': iam.InstanceProfileProps;
  readonly 'aws/OidcProvider': iam.OidcProviderProps;
  readonly 'aws/Volume': compute.VolumeProps;
  readonly 'aws/LaunchTemplate': compute.LaunchTemplateProps;
  readonly 'aws/AutoscalingGroup': compute.AutoscalingGroupProps;
  readonly 'aws/LifecycleHook': compute.LifecycleHookProps;
  readonly 'aws/LoadBalancer': loadBalancing.LoadBalancerProps;
  readonly 'aws/TargetGroup': loadBalancing.TargetGroupProps;
  readonly 'aws/Listener': loadBalancing.ListenerProps;
  readonly 'aws/HostedZone': dns.HostedZoneProps;
  readonly 'aws/HostedZoneAssociation': dns.HostedZoneAssociationProps;
  readonly 'aws/DnsRecord': dns.DnsRecordProps;
  readonly 'aws/ReservedNames': dns.ReservedNamesProps;
  readonly 'aws/PublicFile': storage.PublicFileProps;
  readonly 'aws/Queue': events.QueueProps;
  readonly 'aws/EventRule': events.EventRuleProps;
  readonly 'aws/EventTarget': events.EventTargetProps;
}

export type AwsKind = keyof AwsKinds;

/** Props as a handler gets them. */
export type PropsOf<Kind extends AwsKind> = Resolved<AwsKinds[Kind]>;
