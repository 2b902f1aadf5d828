import type { Handler } from '@kopsctl/tasks/task.ts';
import { autoscalingGroupHandler } from './autoscaling-group.ts';
import { lifecycleHookHandler } from './lifecycle-hook.ts';
import type { AwsEnv } from './aws-cloud.ts';
import { dnsRecordHandler, hostedZoneAssociationHandler, hostedZoneHandler } from './dns.ts';
import { reservedNamesHandler } from './reserved-names.ts';
import { eventRuleHandler, eventTargetHandler } from './event-rule.ts';
import { publicFileHandler } from './public-file.ts';
import { queueHandler } from './queue.ts';
import {
  egressOnlyInternetGatewayHandler,
  elasticIpHandler,
  internetGatewayHandler,
  natGatewayHandler,
} from './gateways.ts';
import { iamRoleHandler } from './iam-role.ts';
import { iamRolePolicyAttachmentHandler, iamRolePolicyHandler } from './iam-role-policy.ts';
import { instanceProfileHandler } from './instance-profile.ts';
import { oidcProviderHandler } from './oidc-provider.ts';
import { keyPairHandler } from './key-pair.ts';
import { launchTemplateHandler } from './launch-template.ts';
import { classicLoadBalancerHandler, instanceHandler, networkInterfaceHandler, sharedTagHandler } from './leftovers.ts';
import { listenerHandler } from './listener.ts';
import { loadBalancerHandler } from './load-balancer.ts';
import { targetGroupHandler } from './target-group.ts';
import { routeHandler, routeTableAssociationHandler, routeTableHandler } from './routes.ts';
import { securityGroupHandler, securityGroupRuleHandler } from './security-group.ts';
import { subnetHandler } from './subnet.ts';
import { volumeHandler } from './volume.ts';
import { dhcpOptionsAssociationHandler, dhcpOptionsHandler, vpcCidrBlockHandler, vpcHandler } from './vpc.ts';

/** Every AWS kind. Kinds only depend on kinds before them: resources are deleted in reverse order. */
export const awsHandlers: readonly Handler<AwsEnv>[] = [
  dhcpOptionsHandler,
  vpcHandler,
  vpcCidrBlockHandler,
  dhcpOptionsAssociationHandler,
  internetGatewayHandler,
  egressOnlyInternetGatewayHandler,
  routeTableHandler,
  subnetHandler,
  sharedTagHandler,
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
  reservedNamesHandler,
  publicFileHandler,
  queueHandler,
  eventRuleHandler,
  eventTargetHandler,
  launchTemplateHandler,
  instanceHandler,
  autoscalingGroupHandler,
  lifecycleHookHandler,
];
