import type { Handler } from '@kopsctl/tasks/task.ts';
import { autoscalingGroupHandler, lifecycleHookHandler } from './autoscaling-group.ts';
import type { AwsEnv } from './aws-cloud.ts';
import { dnsRecordHandler, hostedZoneAssociationHandler, hostedZoneHandler } from './dns.ts';
import { eventRuleHandler, eventTargetHandler, queueHandler } from './events.ts';
import {
  egressOnlyInternetGatewayHandler,
  elasticIpHandler,
  internetGatewayHandler,
  natGatewayHandler,
} from './gateways.ts';
import {
  iamRoleHandler,
  iamRolePolicyAttachmentHandler,
  iamRolePolicyHandler,
  instanceProfileHandler,
  oidcProviderHandler,
} from './iam.ts';
import { keyPairHandler } from './key-pair.ts';
import { launchTemplateHandler } from './launch-template.ts';
import { classicLoadBalancerHandler, instanceHandler, networkInterfaceHandler } from './leftovers.ts';
import { listenerHandler, loadBalancerHandler, targetGroupHandler } from './load-balancer.ts';
import { routeHandler, routeTableAssociationHandler, routeTableHandler } from './routes.ts';
import { securityGroupHandler, securityGroupRuleHandler } from './security-group.ts';
import { subnetHandler } from './subnet.ts';
import { volumeHandler } from './volume.ts';
import { dhcpOptionsAssociationHandler, dhcpOptionsHandler, vpcCidrBlockHandler, vpcHandler } from './vpc.ts';

/** Every kind of AWS, so that things of a kind stand on things of earlier kinds: they are removed backwards. */
export const awsHandlers: readonly Handler<AwsEnv>[] = [
  dhcpOptionsHandler,
  vpcHandler,
  vpcCidrBlockHandler,
  dhcpOptionsAssociationHandler,
  internetGatewayHandler,
  egressOnlyInternetGatewayHandler,
  routeTableHandler,
  subnetHandler,
  routeTableAssociationHandler,
  elasticIpHandler,
  natGatewayHandler,
  routeHandler,
  securityGroupHandler,
  networkInterfaceHandler,
  securityGroupRuleHandler,
  keyPairHandler,
  iamRoleHandler,
  iamRolePolicyHandler,
  iamRolePolicyAttachmentHandler,
  instanceProfileHandler,
  oidcProviderHandler,
  hostedZoneHandler,
  hostedZoneAssociationHandler,
  volumeHandler,
  targetGroupHandler,
  loadBalancerHandler,
  classicLoadBalancerHandler,
  listenerHandler,
  dnsRecordHandler,
  queueHandler,
  eventRuleHandler,
  eventTargetHandler,
  launchTemplateHandler,
  instanceHandler,
  autoscalingGroupHandler,
  lifecycleHookHandler,
];
