import type { Output } from '@kopsctl/model/output.ts';
import { roleOf } from '@kopsctl/spec/names.ts';
import type { Task } from '@kopsctl/tasks/task.ts';
import { pathMtu } from './api-load-balancer.ts';
import { loadBalancerName, targetGroupName } from '../own-names.ts';
import { type AwsContext, subnetId } from './aws-context.ts';
import { awsTask, outputOf } from './aws-task.ts';
import { isDualStack, loadBalancerSubnets } from './load-balancer-subnets.ts';
import { allowAllEgress, allowIngress, PATH_MTU, type Traffic } from './security-group-rule.ts';
import { securityGroup, securityGroupsOf } from './security-groups.ts';
import { isPublic } from '../subnet-kinds.ts';
import { resourceTags } from './tags.ts';
import { hashedName } from '@kopsctl/model/truncated-name.ts';

const SSH: Traffic = { protocol: 'tcp', ports: [22, 22] };

/** The target group of bastions. */
export const bastionTargetGroup = (context: AwsContext): Output =>
  outputOf('aws/TargetGroup', targetGroupName('bastion', context.facts.clusterName), 'arn');

export const bastionLoadBalancerName = ({ facts }: AwsContext): string =>
  loadBalancerName('bastion', facts.clusterName);

/**
 * The machines to log in through, their load balancer, and the rules for clients (kops pkg/model/awsmodel/bastion.go).
 */
export function bastion(context: AwsContext): readonly Task[] {
  const { facts, groups } = context;
  if (!groups.some((group) => roleOf(group) === 'Bastion')) return [];
  const wish = facts.spec.topology?.bastion?.loadBalancer;
  const isInternal = wish?.type === 'Internal';
  const subnets = loadBalancerSubnets(context, isInternal);
  const name = bastionLoadBalancerName(context);
  const targetGroup = targetGroupName('bastion', facts.clusterName);
  const balancer = securityGroup(context, 'bastion-elb');
  const bastions = securityGroupsOf(context, 'Bastion');
  const machines = [...securityGroupsOf(context, 'ControlPlane'), ...securityGroupsOf(context, 'Node')];
  // The load balancer checks the bastions' health from its own subnets; hosts in any of its kind may log in too, as with kops.
  const near = context.subnets.filter((subnet) => isPublic(subnet) !== isInternal);
  const clients = [...(facts.spec.sshAccess ?? []), ...near.flatMap(({ cidr }) => cidr ?? [])];
  return [
    ...bastions.map(({ task }) => task),
    ...bastions.flatMap(allowAllEgress),
    balancer.task,
    ...allowAllEgress(balancer),
    ...bastions.flatMap((to) => [
      allowIngress(balancer, to, SSH),
      allowIngress(balancer, to, PATH_MTU),
      allowIngress(to, balancer, PATH_MTU),
    ]),
    ...bastions.flatMap((from) => machines.map((to) => allowIngress(from, to, SSH))),
    ...[...new Set(clients)].flatMap((from) => [
      allowIngress(from, balancer, SSH),
      ...pathMtu(from, balancer, 'ssh-nlb'),
    ]),
    awsTask('aws/LoadBalancer', name, {
      leadsMachines: false,
      name: hashedName(`bastion-${facts.clusterName.replaceAll('.', '-')}`, 32),
      internal: isInternal,
      dualStack: isDualStack(subnets),
      crossZone: false,
      securityGroups: [balancer.id, ...(wish?.additionalSecurityGroups ?? [])],
      subnets: subnets.map((subnet) => ({ subnet: subnetId(context, subnet) })),
      tags: resourceTags(facts, name),
    }),
    awsTask('aws/TargetGroup', targetGroup, {
      name: targetGroup,
      vpc: context.vpc,
      protocol: 'TCP',
      port: 22,
      tags: resourceTags(facts, targetGroup),
    }),
    awsTask('aws/Listener', `${name}-22`, {
      loadBalancer: outputOf('aws/LoadBalancer', name, 'arn'),
      port: 22,
      protocol: 'TCP',
      targetGroup: bastionTargetGroup(context),
    }),
  ];
}
